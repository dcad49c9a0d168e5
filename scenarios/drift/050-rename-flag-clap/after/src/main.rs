use clap::Parser;

#[derive(Parser)]
#[command(name = "plover")]
struct Cli {
    /// Folder to scan
    folder: String,

    /// Folders to descend into
    #[arg(long = "depth-limit")]
    depth_limit: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn main() {
    let cli = Cli::parse();
    println!("{} {} {}", cli.folder, cli.depth_limit, cli.json);
}
