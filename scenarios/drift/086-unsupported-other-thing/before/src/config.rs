/// The file stonechat.toml.
pub struct Config {
    /// Folder to serve
    pub root: String,
}
