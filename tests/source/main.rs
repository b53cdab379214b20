//! Sources: the same files as memory, index, tree, bare repository, work tree and directory, and what is odd in them.

mod bombs;
mod damage;
mod index;
mod memory;
mod repository;
mod shown;
mod states;
