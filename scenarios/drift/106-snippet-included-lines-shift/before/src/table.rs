use std::io;

/// Prints a tide table.
pub fn print_table(rows: &[u32]) {
    for row in rows {
        println!("{row}");
    }
}
