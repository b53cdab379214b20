//! Sources: the same files as memory, index, tree, bare repository, work tree and directory, and what is odd in them.

mod memory;
mod shown;
