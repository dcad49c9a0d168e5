use serde::Deserialize;

/// The file lapwing.toml.
#[derive(Deserialize)]
pub struct PromptConfig {
    /// Text before the prompt
    pub prefix: String,
    /// Sign in normal mode
    pub vicmd_symbol: String,
    /// Sign in insert mode
    pub insert_symbol: String,
}
