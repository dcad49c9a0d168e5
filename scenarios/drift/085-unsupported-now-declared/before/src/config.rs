/// The file whinchat.toml.
pub struct Config {
    /// Folder to serve
    pub root: String,
}
