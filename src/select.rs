//! Which accepted skills a prompt gets, and in what order.
