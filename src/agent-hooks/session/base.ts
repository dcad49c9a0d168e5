import type { Git, HeadMove } from "../../workspace/git/git.ts";
import type { WorkTreePin } from "../../workspace/git/work-tree-pin.ts";
import type { SessionStart } from "./session.ts";

/**
 * The state that a session's changes are measured from. Commits of the session keep the base; a branch that the session
 * switches to brings its own, so that older work on that branch is not taken for the session's.
 */
export async function locateBase(git: Git, { pin, moves }: SessionStart): Promise<WorkTreePin> {
  const known = await git.headMoves();
  const commit = known.length < moves ? pin.commit : followMoves(pin.commit, known.slice(moves));
  if (commit === pin.commit || (await git.resolve(commit)) === null) return pin;
  return { commit, files: [], isWhole: true };
}

const switched = /^checkout: moving from (\S+) to (\S+)$/;
const fetched = /^(pull|merge)\b.*: fast-forward$/i;

/** Where the base is after HEAD has moved, given where it was before. */
function followMoves(start: string, moves: readonly HeadMove[]): string {
  const bases = new Map<string, string>();
  let base = start;
  let tip = start;
  for (const { to, action } of moves) {
    const branch = switched.exec(action);
    if (branch) {
      bases.set(branch[1]!, base);
      // A new branch starts where the old one is, and takes its base along.
      base = bases.get(branch[2]!) ?? (to === tip ? base : to);
    } else if (fetched.test(action) && base === tip) base = to;
    tip = to;
  }
  return base;
}

/** Where HEAD of a work tree was when the work tree was made. */
export async function firstHead(git: Git): Promise<string | null> {
  const [first] = await git.headMoves();
  return first?.to ?? null;
}
