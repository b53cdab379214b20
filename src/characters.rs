//! What a character is to a reader: visible, hidden, or able to reorder its neighbours.
