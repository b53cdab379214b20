//! Sources: the same files as memory, index, tree, bare repository, work tree and directory, and what is odd in them.

mod alternates;
mod bombs;
mod config;
mod damage;
mod discovery;
mod index;
mod layout;
mod memory;
mod owners;
mod repository;
mod revisions;
mod shown;
mod states;
mod worktree;
