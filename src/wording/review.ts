/** Every sentence that the review page says and that no other room has. */
export const obstacleMessages = {
  decided: "It is decided already.",
  pointer: "There is no edit yet, only a place to look at. Write one to fix it.",
  large: "It is too large to be accepted with others. Review it alone.",
  instructs: "The page instructs agents, so each of its edits is reviewed alone.",
  displaced: "Another edit changes the same lines, or the text is no longer there.",
  gone: "The text to replace is no longer there, or occurs more than once.",
  unseen: "Only its beginning is shown. Show all of it before you accept it.",
  record: "This run has written already.",
};

export const cautionMessages = {
  moved: (from: string): string => `The file was moved here from ${from}.`,
  created: "The file is new.",
  deleted: "The file was deleted.",
  mode: (before: number, after: number): string =>
    `The file's mode changed from ${before.toString(8)} to ${after.toString(8)}.`,
  instructs: "This page instructs agents: the edit changes what they will do.",
};

export const decisionMessages = {
  accepted: (count: number, entry: string): string =>
    count === 1 ? `Written as entry ${entry}.` : `${count} edits written as entry ${entry}.`,
  rejected: (dismissed: boolean, count = 1): string => {
    const what = count === 1 ? "Rejected" : `${count} rejected`;
    return dismissed ? `${what}, and not to be reported again.` : `${what}.`;
  },
  reworded: "Your text is kept. It is written when you accept it.",
  proposed: "The proposed text is restored.",
  reopened: "Open again.",
  undone: (entry: string, by: string): string => `Entry ${entry} is undone, by entry ${by}.`,
  undoReason: "taken back in review",
  dismissal: "rejected in review",
};

export const progressMessages = {
  working: "Looking …",
  comparing: "Comparing the documents with the code …",
  noRecord: "The run has written no record yet.",
};

/** What `suture review` says in the terminal. */
export const reviewWords = {
  needsWorkTree: "review needs a work tree",
  nothing: ({ unknown, remarks }: { readonly unknown: number; readonly remarks: number }): string => {
    if (remarks > 0) return "No edits to review. The run left these remarks:";
    return unknown === 0 ? "✓ Nothing to review: no false passage was found." : "Nothing to review.";
  },
  remark: (path: string, what: string, detail: string): string => `${path}: ${what}: ${detail}`,
  at: (url: string): string => `Review at ${url}`,
  open: (file: string, port: number): string => `Open ${file} in a browser. It leads to 127.0.0.1:${port}.`,
  forward: (port: number): string =>
    `From another machine, forward the port first: ssh -L ${port}:127.0.0.1:${port} HOST`,
  stop: "Stop with Ctrl-C; what you decide is kept.",
  decided: (items: readonly { readonly state: string }[]): string => {
    const count = (state: string): number => items.filter((item) => item.state === state).length;
    const [accepted, rejected] = [count("accepted"), count("rejected")];
    return `${accepted} accepted, ${rejected} rejected, ${items.length - accepted - rejected} left.`;
  },
  takeBack: (run: string): string => `Take all of it back with: suture undo ${run}`,
};
