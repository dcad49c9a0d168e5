/** Every word that the review says to people and that the tools room does not have already. */
export const obstacleWords = {
  decided: "It is decided already.",
  pointer: "There is no edit yet, only a place to look at. Word one to make it true.",
  large: "It is too large to be accepted among others: look at it by itself.",
  instructs: "The page instructs agents, so each of its edits is looked at by itself.",
  displaced: "Another edit changes the same lines, or the text is no longer there.",
  gone: "The text that it would replace is no longer there, or no longer the only one of its kind.",
  unseen: "Only its beginning is shown. See all of it before you accept it.",
  record: "This run has written already.",
};

export const cautionWords = {
  moved: (from: string): string => `The file was moved here from ${from}.`,
  created: "The file is new.",
  deleted: "The file was deleted.",
  mode: (before: number, after: number): string =>
    `The file's mode changed from ${before.toString(8)} to ${after.toString(8)}.`,
  instructs: "This page instructs agents: the edit changes what they will do.",
};

export const saidWords = {
  accepted: (count: number, entry: string): string =>
    count === 1 ? `Written as entry ${entry}.` : `${count} edits written as entry ${entry}.`,
  rejected: (dismissed: boolean): string =>
    dismissed ? "Rejected, and not to be reported again." : "Rejected.",
  reworded: "Your wording is kept. It is written when you accept it.",
  proposed: "Back to the wording that was proposed.",
  reopened: "Open again.",
  undone: (entry: string, by: string): string => `Entry ${entry} is undone, by entry ${by}.`,
  undoReason: "taken back in review",
  dismissal: "rejected in review",
  stale: "This has changed since it was shown. Look at it again.",
};
