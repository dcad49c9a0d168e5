export const templates = {
  bash: "complete -F _catchment catchment",
  zsh: "compdef _catchment catchment",
};
