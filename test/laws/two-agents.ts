import { readFileSync } from "node:fs";
import fc from "fast-check";
import { mergeFileCleanly } from "../../src/syntax/merge/merge-file.ts";

const FILES = ["src/text/merge/merge.ts", "package.json", "src/cli/commands.ts", "tsconfig.json"];

type RandomEdit = { readonly at: number; readonly kind: number };

/** What two agents do to one real file, and what the merge makes of it; null: a conflict. */
export type MergedPair = {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly merged: string | null;
};

/** Tries random pairs of edits of real files, some of them close to each other. */
export async function tryPairs(runs: number, look: (pair: MergedPair) => void): Promise<void> {
  const files = FILES.map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const edit = fc.record({ at: fc.nat(), kind: fc.nat(3) });
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      edits,
      edits,
      fc.nat(30),
      async (file, mine, others, near) => {
        const { path, text: base } = file;
        const ours = change(base, mine, { near: 0, name: "mine" });
        const theirs = change(base, others, { near: (mine[0]?.at ?? 0) + near, name: "theirs" });
        look({ base, ours, theirs, merged: await mergeFileCleanly(path, { base, ours, theirs }) });
      },
    ),
    { numRuns: runs },
  );
}

/** The words of which a merge has fewer or more than the base and both changes have together. */
export function wrongWords({ base, ours, theirs, merged }: MergedPair): {
  lost: string[];
  doubled: string[];
} {
  const [b, o, t, m] = [base, ours, theirs, merged ?? ""].map(countWords);
  const surplus = (word: string): number =>
    (m!.get(word) ?? 0) - (o!.get(word) ?? 0) - (t!.get(word) ?? 0) + (b!.get(word) ?? 0);
  const words = [...new Set([b, o, t, m].flatMap((each) => [...each!.keys()]))];
  return {
    lost: words.filter((word) => surplus(word) < 0),
    doubled: words.filter((word) => surplus(word) > 0),
  };
}

/** How many random pairs merge, stay a conflict, lose a word or have one twice. */
export async function countPairs(runs: number): Promise<string> {
  const counts = { merged: 0, conflict: 0, lost: 0, doubled: 0 };
  await tryPairs(runs, (pair) => {
    if (pair.merged === null) return void counts.conflict++;
    const { lost, doubled } = wrongWords(pair);
    counts.merged++;
    if (lost.length > 0) counts.lost++;
    if (doubled.length > 0) counts.doubled++;
  });
  const { merged, conflict, lost, doubled } = counts;
  return `${runs} pairs: ${merged} merged, ${conflict} conflicts, ${lost} lost, ${doubled} doubled`;
}

/** A text after edits of single lines: a word replaced, a line added, a line repeated with another word. */
function change(
  text: string,
  edits: readonly RandomEdit[],
  { near, name }: { readonly near: number; readonly name: string },
): string {
  const lines = text.split("\n");
  edits.forEach(({ at, kind }, i) => {
    const line = (near + (near > 0 ? at % 7 : at)) % lines.length;
    const old = lines[line]!;
    const own = `${name}${i}`;
    if (kind === 0) lines[line] = old.replace(/\w+/, own);
    else if (kind === 1) lines.splice(line, 0, old.replaceAll(/\w+/g, own));
    else if (kind === 2) lines[line] = old.replace(/\w+(?=\W*$)/, own);
    else lines.splice(line, 0, `// ${own}`);
  });
  return lines.join("\n");
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
