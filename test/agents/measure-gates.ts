/**
 * How often the gates object to what people really wrote: every page of a sample of commits that changed code and
 * documents together, judged as if a model had written it. Some objections are right; most are the price.
 *
 *     MIRROR=folder-of-bare-clones node test/agents/measure-gates.ts CASES.jsonl [most] [first]
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkDraft } from "../../src/agents/gates/check-draft.ts";
import { collectFacts } from "../../src/agents/gates/known-facts.ts";
import { isDocumentPath } from "../../src/drift/pages/policies.ts";
import { decode } from "../../src/text/model/encoding.ts";
import { openGit } from "../../src/workspace/git/git.ts";

type Case = { case_id: string; repo: string; parent: string; commit: string; doc_files: string[] };

const [list = "", most = "110", first = "0"] = process.argv.slice(2);
const mirror = process.env.MIRROR ?? "";
if (!existsSync(list) || !existsSync(mirror)) {
  console.log("nothing was measured: name the cases, and the folder of clones in MIRROR");
  process.exit(0);
}

const cases = readFileSync(list, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);
const step = Math.max(1, Math.floor(cases.length / Number(most)));
const counts: Record<string, number> = {};
let pages = 0;
let objected = 0;
for (let i = Number(first); i < cases.length; i += step)
  for (const objections of await judgeCase(cases[i]!)) {
    pages++;
    if (objections.length > 0) objected++;
    for (const { gate, path, detail } of objections) {
      counts[gate] = (counts[gate] ?? 0) + 1;
      console.log(`${cases[i]!.case_id} ${path} ${gate}: ${detail}`);
    }
  }
console.log(
  `${objected} of ${pages} pages that people edited met an objection (${((100 * objected) / pages).toFixed(1)} %): ${JSON.stringify(counts)}`,
);

async function judgeCase({ repo, parent, commit, doc_files }: Case) {
  const git = await openGit(join(mirror, repo.replace("/", "+"), "repo"));
  if (!git || (await git.resolve(commit)) === null || (await git.resolve(parent)) === null) return [];
  const tree = await git.tree(commit);
  const before = new Map((await git.tree(parent)).map(({ path, id }) => [path, id]));
  const known = tree.filter(
    ({ path }) =>
      !doc_files.includes(path) && !/\.(png|jpe?g|gif|svg|ico|woff2?|ttf|lock|snap|map|pdf|zip)$/i.test(path),
  );
  const after = new Map(tree.map(({ path, id }) => [path, id]));
  const blobs = await git.blobs([
    ...known.map(({ id }) => id),
    ...doc_files.flatMap((path) => [before.get(path), after.get(path)].filter((id) => id !== undefined)),
  ]);
  const textOf = (id: string | undefined): string | null => {
    const bytes = id === undefined ? undefined : blobs.get(id);
    const decoded = bytes && bytes.length < 1 << 20 ? decode(bytes) : undefined;
    return decoded?.ok ? decoded.value.text : null;
  };
  const files = known.flatMap(({ path, id }) => {
    const text = textOf(id);
    return text === null ? [] : [{ path, text }];
  });
  const facts = collectFacts(files, { paths: tree.map(({ path }) => path) });
  const verdicts = [];
  for (const path of doc_files.filter(isDocumentPath)) {
    const [old, fresh] = [textOf(before.get(path)), textOf(after.get(path))];
    if (old === null || fresh === null || old === fresh) continue;
    const { objections } = await checkDraft(
      { path, before: old, after: fresh, reasons: ["r"] },
      { facts, secrets: [], commits: [] },
    );
    verdicts.push(objections);
  }
  return verdicts;
}
