use clap::Parser;

#[derive(Parser)]
#[command(name = "plover")]
struct Cli {
    /// Folder to scan
    folder: String,

    /// Skip files that git ignores
    #[arg(long = "skip-ignored")]
    skip_ignored: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn main() {
    let cli = Cli::parse();
    if cli.skip_ignored {
        println!("skipping");
    }
    println!("{} {}", cli.folder, cli.json);
}
