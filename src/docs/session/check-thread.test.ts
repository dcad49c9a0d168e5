import { afterEach, beforeEach, expect, test } from "vitest";
import { createRepository, type Repository } from "../../../test/drift/repository.ts";
import { openProject, type Project } from "../project.ts";
import { CheckThread } from "./check-thread.ts";

let repository: Repository;
let project: Project;
let thread: CheckThread | null = null;

beforeEach(async () => {
  repository = createRepository();
  repository.commit({ "src/a.js": "export function loadThing() {}\n", "README.md": "Call `loadThing()`.\n" });
  repository.commit({ "src/a.js": "export function readThing() {}\n", "README.md": "Call `loadThing()`.\n" });
  const opened = await openProject({ root: repository.folder });
  if (!opened.ok) throw new Error("no project");
  project = opened.value;
});

afterEach(async () => {
  await thread?.close();
  await project.close();
  repository.remove();
});

const asked = { range: { base: "HEAD~1" }, texts: [] } as const;

test("a thread answers one check after another, and sees what changed in between", async () => {
  thread = CheckThread.for(project);
  expect(await thread?.check(asked)).toMatchObject({
    ok: true,
    value: { findings: [{ path: "README.md" }] },
  });
  const saved = [["README.md", "Call `readThing()`.\n"]] as const;
  expect(await thread?.check({ ...asked, texts: saved })).toMatchObject({
    ok: true,
    value: { findings: [] },
  });
  repository.write({ "README.md": "Call `readThing()`.\n" });
  thread?.forgetDisk();
  expect(await thread?.check(asked)).toMatchObject({ ok: true, value: { findings: [] } });
});

test("a check that takes too long is refused, and the next one has a thread of its own", async () => {
  thread = CheckThread.for(project, 0.001);
  expect(await thread?.check(asked)).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
  expect(await thread?.check(asked)).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
});

test("a check that is no longer wanted ends with the reason, and the thread goes on", async () => {
  thread = CheckThread.for(project);
  const abort = new AbortController();
  const first = thread?.check(asked, { signal: abort.signal });
  abort.abort(new Error("stale"));
  await expect(first).rejects.toThrow("stale");
  expect(await thread?.check(asked)).toMatchObject({ ok: true });
});
