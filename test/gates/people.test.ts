import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDraft } from "../../src/agents/gates/check-draft.ts";
import { collectFacts, type KnownFacts } from "../../src/agents/gates/known-facts.ts";

/** A folder of bare clones of public repositories, where there is one. */
const mirror = process.env.SUTURE_MIRROR ?? "";
const editsOfEach = 9;

test("people's edits are refused in at most five of a hundred, and as unsafe in one", async ({ skip }) => {
  if (!existsSync(mirror)) skip("SUTURE_MIRROR names no folder of clones to take people's edits from");
  const gates = new Set(["safety", "addresses"]);
  let [judged, refused, unsafe, large] = [0, 0, 0, 0];
  for (const { path, old, after, facts } of peoplesEdits(mirror)) {
    const draft = { path, before: old, after, reasons: ["It changed."] };
    const { objections } = await checkDraft(draft, { facts, secrets: [], commits: [] });
    // A model's rewrite of this size is refused whatever it says.
    if (objections.some(({ gate }) => gate === "size")) {
      large++;
      continue;
    }
    judged++;
    const own = objections.filter(({ gate }) => gates.has(gate));
    if (own.length > 0) refused++;
    if (own.some(({ gate }) => gate === "safety")) unsafe++;
    for (const { detail } of process.env.SUTURE_SHOW ? own.slice(0, 1) : []) console.log(path, detail);
  }
  console.log(
    `${refused} of ${judged} edits that people made were refused by the gates on text, ${unsafe} of them as unsafe; ${large} larger ones left out`,
  );
  expect(judged).toBeGreaterThanOrEqual(300);
  expect(unsafe / judged).toBeLessThanOrEqual(0.01);
  expect(refused / judged).toBeLessThanOrEqual(0.05);
});

type PeoplesEdit = {
  readonly path: string;
  readonly old: string;
  readonly after: string;
  readonly facts: KnownFacts;
};

/** Edits of existing pages in the newest commits of each clone that changed code and documents together. */
function* peoplesEdits(folder: string): Generator<PeoplesEdit> {
  for (const name of readdirSync(folder)) {
    const clone = join(folder, name, "repo");
    if (!existsSync(clone)) continue;
    const git = (...args: string[]): string => runGit(clone, args);
    const log = git("log", "--no-merges", "--diff-filter=M", "--format=%H", "--name-only", "-n", "600");
    let taken = 0;
    for (const [, commit, names] of log.matchAll(/^([0-9a-f]{40})\n\n((?:.+\n)+)/gm)) {
      if (taken === editsOfEach) break;
      const path = chooseDocument(names!.split("\n"));
      if (path === undefined) continue;
      const [old, after] = [git("show", `${commit}^:${path}`), git("show", `${commit}:${path}`)];
      if (old === "" || after === "" || old === after || after.length > 200_000) continue;
      taken++;
      yield { path, old, after, facts: factsAt(git, commit!) };
    }
  }
}

/** The page of a commit that changes code too. */
function chooseDocument(names: readonly string[]): string | undefined {
  if (!names.some((name) => /\.(?:ts|js|py|go|rs|java|kt|rb|c|h|lua|svelte)$/.test(name))) return undefined;
  return names.find(
    (name) => /\.(?:md|mdx|rst|adoc)$/.test(name) && !/changelog|history|release/i.test(name),
  );
}

const manifests = ["*go.mod", "*package.json", "*Cargo.toml", "*pyproject.toml", "*setup.py", "*pom.xml"];

/** The files of a commit. Whether the code of its parent names a host is asked only for the hosts that are new. */
function factsAt(git: (...args: string[]) => string, commit: string): KnownFacts {
  const files = git("ls-tree", "-r", "--name-only", commit).split("\n");
  const documents = ["*.md", "*.mdx", "*.rst", "*.adoc", "*.txt"].map((glob) => `:!${glob}`);
  return {
    ...collectFacts(files.map((path) => ({ path, text: "" }))),
    knowsPackage: (name) => git("grep", "-lIF", name, commit, "--", ...manifests) !== "",
    knowsHost: (host) => git("grep", "-lIF", `://${host}`, `${commit}^`, "--", ...documents) !== "",
  };
}

function runGit(clone: string, args: readonly string[]): string {
  try {
    return execFileSync("git", ["-C", clone, ...args], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}
