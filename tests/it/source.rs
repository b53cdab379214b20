//! Sources: the same files in memory, index, tree, bare repository, working tree and directory, and their irregularities.

mod alternates;
mod bombs;
mod caps;
mod config;
mod damage;
mod discovery;
mod index;
mod layout;
mod memory;
mod owners;
mod reftable;
mod repository;
mod revisions;
mod shown;
mod states;
mod worktree;
