//! Places as a reader sees them: line, column, and the text around them.
