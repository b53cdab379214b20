//! Reports in the formats that people and review tools read.
