import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createRepository, type Repository } from "../drift/repository.ts";
import { pulling, ScriptedClient } from "./client.ts";
import { createRandom, editText, project as files } from "./random-edits.ts";

const paths = Object.keys(files);
const [edits, every] = [1000, 50];

let repository: Repository;
let client: ScriptedClient;

beforeEach(async () => {
  repository = createRepository();
  repository.commit(files);
  client = new ScriptedClient(repository.folder);
  await client.start(pulling, { base: "HEAD~0" });
});

afterEach(async () => {
  await client.close();
  repository.remove();
});

/** The diagnostics of a new server with the same documents open. */
async function askFresh(): Promise<unknown> {
  const fresh = new ScriptedClient(repository.folder);
  await fresh.start(pulling, { base: "HEAD~0" });
  for (const [path, { text }] of client.texts) await fresh.open(path, text);
  const found = await fresh.pullAll();
  await fresh.close();
  return withoutVersions(found);
}

function withoutVersions(reports: readonly object[]): unknown {
  return reports.map((report) => ({ ...report, version: null }));
}

/** One thing that happens in an editor or beside it. */
async function step(random: (below: number) => number): Promise<void> {
  const path = paths[random(paths.length)]!;
  const open = client.texts.get(path);
  const chance = random(40);
  if (open === undefined) await client.open(path, repository.read(path));
  else if (chance === 0) {
    repository.write({ [path]: open.text });
    await client.save(path);
  } else if (chance === 1) await client.closeDocument(path);
  else if (chance === 2) {
    const other = paths.find((one) => !client.texts.has(one));
    if (other === undefined) return;
    repository.write({ [other]: editText(repository.read(other), random) });
    await client.changedOnDisk(other);
  } else if (chance === 3) {
    repository.git("commit", "--quiet", "--all", "--allow-empty", "--message", "meanwhile");
    await client.changedOnDisk(".git/HEAD");
  } else await client.write(path, editText(open.text, random));
}

test("after every fifty of a thousand edits, the server reports what a new server reports", async () => {
  const random = createRandom(inject("seed"));
  let seen = 0;
  for (let edit = 1; edit <= edits; edit++) {
    await step(random);
    if (edit % every !== 0) continue;
    const found = withoutVersions(await client.pullAll());
    expect(found).toEqual(await askFresh());
    seen += (found as unknown[]).length;
  }
  expect(seen).toBeGreaterThan(0);
});
