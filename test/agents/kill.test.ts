import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parseLineage } from "../../src/docs/record/lineage.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Turn } from "./scripted-server.ts";
import { answerSection, askedText, isSectionQuestion } from "./section-model.ts";

// A real process against a server that takes its time, killed at a moment chosen anew each time.

let project: Project;
afterEach(() => project.close());

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const old = "# Page\n\nUse `--old` here, and call `removeCache()`.\n";
const paths = Array.from({ length: 6 }, (_, i) => `docs/p${i}.md`);
const trials = 8;

const isDone = ({ messages }: Request): boolean => messages.at(-1)!.role === "tool";

function write(request: Request): Turn {
  if (request.system.includes("You study")) return { text: "A tool." };
  if (request.system.includes("You plan"))
    return { text: JSON.stringify(paths.map((path) => ({ path, relevantPaths: ["src/cli.ts"] }))) };
  if (isSectionQuestion(request))
    return {
      text: answerSection(askedText(request), (section) => section.replace("removeCache()", "clear()")),
    };
  if (isDone(request)) return { text: "Done." };
  if (request.tools.includes("patch_file")) {
    const input = { original_text_snippet: "`--old`", new_text_snippet: "`--new`", reason: "Renamed." };
    return { calls: [{ name: "patch_file", input }] };
  }
  return { text: "Done." };
}

/** Opens a project whose server answers slowly and kills the child of the moment at a request chosen for it. */
async function begin() {
  const moment = { request: Number.POSITIVE_INFINITY, seen: 0, child: undefined as ChildProcess | undefined };
  project = await openProject(
    {
      "src/cli.ts":
        "export const flags = ['--new'];\nexport function removeCache() {}\nexport function clear() {}\n",
      ...Object.fromEntries(paths.map((path) => [path, old])),
    },
    async (request) => {
      if (++moment.seen === moment.request)
        setTimeout(() => moment.child?.kill("SIGKILL"), Math.random() * 120);
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 60));
      return write(request);
    },
  );
  project.put("src/cli.ts", "export const flags = ['--new'];\nexport function clear() {}\n");
  project.commit("drop a function");
  return moment;
}

function start(words: readonly string[]): { child: ChildProcess; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [main, ...words, "--no-review", "--root", project.root], {
    env: { PATH: process.env.PATH, ...project.environment() },
    stdio: "ignore",
  });
  return { child, ended: new Promise((resolve) => child.once("exit", (code) => resolve(code))) };
}

/** Every page must be whole for the next run: as before, or as the killed run wrote it. */
async function expectWhole(now: (page: string) => string): Promise<number> {
  const { run, close } = await project.open();
  await run.context.reader.history();
  await close();
  const texts = paths.map((path) => project.text(path));
  for (const text of texts) expect([old, now(old)]).toContain(text);
  return texts.filter((text) => text !== old).length;
}

const lineageOf = (): string | null =>
  project.exists(".suture/lineage.json") ? project.text(".suture/lineage.json") : null;

test("kill -9 at any time leaves each page old or new, and the baseline moves only with all of them", async () => {
  const moment = await begin();
  const kept: number[] = [];
  let killed = 0;
  for (let trial = 0; trial < trials; trial++) {
    for (const path of paths) project.put(path, old);
    const before = lineageOf();
    Object.assign(moment, { request: 2 + Math.floor(Math.random() * 13), seen: 0 });
    const { child, ended } = start(["documentation"]);
    moment.child = child;
    const code = await ended;
    const written = await expectWhole((page) => page.replace("--old", "--new"));
    kept.push(written);
    if (code === null) {
      killed++;
      // A run that has written everything may be killed on its way out.
      expect(lineageOf() === before || written === paths.length).toBe(true);
    } else expect(Object.keys(parseLineage(lineageOf()!)!.pages)).toEqual(paths);
  }
  console.log(
    `${killed} of ${trials} runs were killed; pages written: ${kept.join(", ")} of ${paths.length}`,
  );
  expect(killed).toBeGreaterThan(0);
});

test("kill -9 at any time of a fix with a model leaves pages old or new, and the next fix does the rest", async () => {
  const moment = await begin();
  Object.assign(moment, { request: 2 + Math.floor(Math.random() * 10), seen: 0 });
  const killed = start(["fix", "--base", "HEAD~1"]);
  moment.child = killed.child;
  await killed.ended;
  await expectWhole((page) => page.replace("removeCache", "clear"));
  moment.request = Number.POSITIVE_INFINITY;
  expect(await start(["fix", "--base", "HEAD~1"]).ended).toBe(0);
  expect(await expectWhole((page) => page.replace("removeCache", "clear"))).toBe(paths.length);
});
