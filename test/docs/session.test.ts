import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { check } from "../../src/docs/check/check.ts";
import type { CheckReport } from "../../src/docs/check/report.ts";
import { openProject } from "../../src/docs/project.ts";
import { CheckSession } from "../../src/docs/session/session.ts";
import { createRepository, type Repository } from "../drift/repository.ts";
import { createRandom, editText, project as files } from "../lsp/random-edits.ts";

let repository: Repository;
let session: CheckSession;
const paths = Object.keys(files);

beforeEach(async () => {
  repository = createRepository();
  repository.commit(files);
  const opened = await openProject({ root: repository.folder });
  if (!opened.ok) throw new Error("no project");
  session = new CheckSession(opened.value);
});

afterEach(async () => {
  await session.project.close();
  repository.remove();
});

async function checkDisk(base: string | null): Promise<CheckReport> {
  const opened = await openProject({ root: repository.folder });
  if (!opened.ok) throw new Error("no project");
  await using project = opened.value;
  const checked = await check(project, { base });
  if (!checked.ok) throw new Error(JSON.stringify(checked.refusal));
  return checked.value;
}

async function checkTexts(base: string | null, texts: ReadonlyMap<string, string>): Promise<CheckReport> {
  const { outcome } = await session.check({ base }, { texts });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return outcome.value;
}

test("unsaved texts are found like saved ones, in twenty states of a session", async () => {
  const random = createRandom(inject("seed"));
  const texts = new Map<string, string>();
  for (let state = 0; state < 20; state++) {
    const path = paths[random(paths.length)]!;
    texts.set(path, editText(texts.get(path) ?? files[path]!, random));
    const found = await checkTexts("HEAD", texts);
    repository.write(Object.fromEntries(texts));
    const saved = await checkDisk("HEAD");
    repository.write(files);
    expect(found).toEqual(saved);
  }
});

test("a text that equals the disk, or the base, is no change", async () => {
  const path = "src/client.ts";
  expect(
    await checkTexts(null, new Map([["docs/guide.md", files["docs/guide.md"]!]])).catch(String),
  ).toContain("only one commit");
  repository.write({ [path]: files[path]!.replaceAll("fetchUser", "loadUser") });
  session.forgetDisk();
  expect((await checkTexts("HEAD", new Map())).findings).not.toEqual([]);
  expect((await checkTexts("HEAD", new Map([[path, files[path]!]]))).findings).toEqual([]);
});

test("a file of the index, an untracked file and a new one are seen as typed", async () => {
  repository.write({ "docs/staged.md": "# S\n", "docs/loose.md": "# L\n" });
  repository.git("add", "docs/staged.md");
  const texts = new Map([
    ["src/client.ts", files["src/client.ts"]!.replaceAll("fetchUser", "loadUser")],
    ...["docs/staged.md", "docs/loose.md", "docs/new.md"].map((path): [string, string] => [
      path,
      "# A\n\nCall `fetchUser`.\n",
    ]),
  ]);
  const found = await checkTexts("HEAD", texts);
  expect(new Set(found.findings.map(({ path }) => path))).toEqual(
    new Set(["docs/guide.md", "docs/loose.md", "docs/new.md", "docs/staged.md"]),
  );
});

test("a change on disk is seen after the session forgets the disk", async () => {
  const path = "src/client.ts";
  expect((await checkTexts("HEAD", new Map())).findings).toEqual([]);
  const stamp = await session.diskStamp({ files: true });
  repository.write({ [path]: files[path]!.replaceAll("fetchUser", "loadUser") });
  expect((await checkTexts("HEAD", new Map())).findings).toEqual([]);
  expect(await session.diskStamp({ files: true })).not.toBe(stamp);
  session.forgetDisk();
  expect((await checkTexts("HEAD", new Map())).findings).not.toEqual([]);
});

test("a check that is no longer wanted ends with the reason of its signal", async () => {
  const texts = new Map([["src/client.ts", files["src/client.ts"]!.replaceAll("fetchUser", "loadUser")]]);
  const abort = new AbortController();
  const rules: number[] = [];
  const checked = session.check(
    { base: "HEAD" },
    {
      texts,
      signal: abort.signal,
      onProgress: (done) => {
        rules.push(done);
        if (rules.length === 3) abort.abort(new Error("stale"));
      },
    },
  );
  await expect(checked).rejects.toThrow("stale");
  expect(rules).toHaveLength(3);
  expect((await checkTexts("HEAD", texts)).findings).not.toEqual([]);
});
