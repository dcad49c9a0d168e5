export const templates = {
  bash: "complete -F _catchment catchment",
  fish: "complete -c catchment",
  zsh: "compdef _catchment catchment",
};
