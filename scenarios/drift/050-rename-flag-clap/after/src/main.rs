use clap::Parser;

#[derive(Parser)]
#[command(name = "plover")]
struct Cli {
    /// Folder to scan
    folder: String,

    /// Skip files that git ignores
    #[arg(long = "respect-gitignore")]
    respect_gitignore: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn main() {
    let cli = Cli::parse();
    if cli.respect_gitignore {
        println!("skipping");
    }
    println!("{} {}", cli.folder, cli.json);
}
