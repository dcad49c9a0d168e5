use clap::Parser;

/// Copies directories in parallel.
#[derive(Parser)]
struct Args {
    /// Directory to copy from
    source: String,

    /// Number of worker threads
    #[arg(long, default_value_t = 8)]
    workers: usize,

    /// Bytes to read at once
    #[arg(long, default_value_t = 65536)]
    chunk_size: usize,
}

fn main() {
    let args = Args::parse();
    println!("{} {} {}", args.source, args.workers, args.chunk_size);
}
