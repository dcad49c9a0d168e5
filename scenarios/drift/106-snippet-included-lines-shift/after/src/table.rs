use std::fmt;
use std::io;

/// A table of tides.
pub struct Table;

/// Prints a tide table.
pub fn print_table(rows: &[u32]) {
    for row in rows {
        println!("{row}");
    }
}
