/** A person's wish in a comment on one of our pull requests: these passages are right as they are. */
export type DismissCommand = {
  /** The ids of findings; null for all of the pull request. */
  readonly ids: readonly string[] | null;
  readonly reason: string;
};

const commandLine = /^[ \t]*\/suture[ \t]+dismiss[ \t]+(\S.*)$/gim;
const findingId = /^[a-z][a-z-]*-[0-9a-f]{16}$/;
const longestReason = 500;

/** Whether a comment may hold a command. */
export function isCommand(comment: string): boolean {
  return readCommands(comment).length > 0;
}

/**
 * The commands of a comment: `/suture dismiss ID… REASON` or `/suture dismiss all REASON`, each on a line of its own. A line
 * without an id and without `all` is no command, because a misspelt id must not dismiss everything.
 */
export function readCommands(comment: string): DismissCommand[] {
  return [...comment.matchAll(commandLine)].flatMap(([, rest = ""]) => {
    const words = rest
      .trim()
      .split(/[\s,]+/)
      .map((word) => word.replace(/^`|`$/g, ""));
    const isAll = words[0]?.toLowerCase() === "all";
    const first = words.findIndex((word) => !findingId.test(word));
    const ids = words.slice(0, first === -1 ? words.length : first);
    if (!isAll && ids.length === 0) return [];
    const reason = words
      .slice(isAll ? 1 : ids.length)
      .join(" ")
      .slice(0, longestReason);
    return [{ ids: isAll ? null : ids, reason }];
  });
}
