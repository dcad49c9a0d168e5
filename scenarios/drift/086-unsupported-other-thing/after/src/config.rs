/// The file stonechat.toml.
pub struct Config {
    /// Folder to serve
    pub root: String,
    /// How hard to compress
    pub compression_level: u8,
}
