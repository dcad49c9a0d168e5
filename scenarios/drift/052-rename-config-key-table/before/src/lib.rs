pub mod config;

pub fn render(config: &config::PromptConfig) -> String {
    format!("{}{}", config.prefix, config.vicmd_symbol)
}
