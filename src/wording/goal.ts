const mostShown = 20;

/** Sentences of `suture run` about files that the goal does not name. */
export const goalWords = {
  more: (paths: readonly string[]): string => {
    const shown = paths.slice(0, mostShown).join(", ");
    const rest = paths.length > mostShown ? ` and ${paths.length - mostShown} more` : "";
    return `The plan would also write files that the goal does not name: ${shown}${rest}.`;
  },
  askMore: "Write these files too? [y/N]",
  howToAllow: (paths: readonly string[]): string =>
    `Nothing was written. Name the files in the goal, or pass --may-write ${JSON.stringify(paths.slice(0, mostShown).join(","))}.`,
};
