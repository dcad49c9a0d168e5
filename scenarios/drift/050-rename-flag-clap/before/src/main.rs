use clap::Parser;

#[derive(Parser)]
#[command(name = "plover")]
struct Cli {
    /// Folder to scan
    folder: String,

    /// Folders to descend into
    #[arg(long = "max-depth")]
    max_depth: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn main() {
    let cli = Cli::parse();
    println!("{} {} {}", cli.folder, cli.max_depth, cli.json);
}
