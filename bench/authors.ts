/**
 * A day's work of three scripted clients and a person in one tree: edits, other programs, a formatter, undo, a moved file,
 * commits, a rebase and squashed commits. The script knows who wrote each line; `suture blame` and the notes of the commits
 * are compared with that: `npm run bench:authors [-- --days 5]`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openSession, type Session } from "../src/session/session.ts";

const { values } = parseArgs({
  options: { days: { type: "string", default: "3" }, verbose: { type: "boolean" } },
});

const clients = ["claude", "codex", "gemini"] as const;
type Client = (typeof clients)[number];
type Counts = { lines: number; right: number; unknown: number; wrong: number };

const blamed: Counts = { lines: 0, right: 0, unknown: 0, wrong: 0 };
const noted: Counts = { lines: 0, right: 0, unknown: 0, wrong: 0 };
const done: Record<string, number> = {};

async function workOneDay(seed: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "suture-day-"));
  try {
    await new Day(home, seed).run();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The lines of one tree. Each has a number of its own, by which the script knows who wrote it. */
class Day {
  readonly #home: string;
  #seed: number;
  #next = 0;
  /** The writer of each line; `null`: a person or a program, whom nobody records. */
  readonly #writers: (Client | null)[] = [];
  readonly #entries = new Map<Client, string[]>();

  constructor(home: string, seed: number) {
    this.#home = home;
    this.#seed = seed * 7919;
  }

  async run(): Promise<void> {
    this.#git("init", "-q", "-b", "main");
    this.#git("config", "user.name", "ada");
    this.#git("config", "user.email", "ada@example.org");
    for (const name of ["a.js", "b.js", "c.js", "d.js"])
      this.#write(name, `function ${name[0]}() {\n${this.#lines(null, 40)}}\n`);
    this.#commit("begin");
    this.#suture("blame", "--install");
    for (let hour = 0; hour < 8; hour++) {
      for (let turn = 0; turn < 25; turn++) await this.#turn();
      if (hour === 3) await this.#rebase();
      else this.#commit(`hour ${hour}`);
      this.#checkNote("HEAD");
      if (hour === 5) {
        this.#git("reset", "-q", "--soft", "HEAD~3");
        this.#commit("squashed");
        this.#checkNote("HEAD");
        count("squash of three commits");
      }
    }
    for (const path of this.#paths()) this.#checkBlame(path);
  }

  async #turn(): Promise<void> {
    const kind = this.#random(20);
    const path = this.#pick(this.#paths());
    if (kind < 13) await this.#edit(this.#pick(clients), path);
    else if (kind < 16) this.#editByHand(path);
    else if (kind < 17) await this.#undo(this.#pick(clients));
    else if (kind < 18) this.#format(path);
    else if (kind < 19) this.#shell(path);
    else this.#move(path);
  }

  async #edit(client: Client, path: string): Promise<void> {
    const line = this.#pick(this.#numbered(path));
    const fresh = this.#lines(client, this.#random(3)).trimEnd();
    const replaced = this.#random(2) === 0 ? fresh : `${line}${fresh === "" ? "" : `\n${fresh}`}`;
    if (replaced === line) return;
    await this.#as(client, async ({ tools }) => {
      const result = await tools.call("edit_file", {
        path,
        old_content: line,
        new_content: replaced,
        reason: `turn ${this.#next}`,
      });
      if (!result.success) throw new Error(JSON.stringify(result));
      const entries = this.#entries.get(client) ?? [];
      this.#entries.set(client, [...entries, String(result.entry)]);
      count("edits of clients");
    });
  }

  /** Takes back one of the last edits. What is left of the lines tells by its numbers who wrote it. */
  async #undo(client: Client): Promise<void> {
    const entry = (this.#entries.get(client) ?? []).at(-1 - this.#random(3));
    if (entry === undefined) return;
    await this.#as(client, async ({ tools }) => {
      const { success } = await tools.call("undo", { entry, reason: "taken back" });
      count(success ? "undone" : "undo refused");
    });
  }

  async #as(client: Client, work: (session: Session) => Promise<void>): Promise<void> {
    const origin = { client, session: `${client}-1`, model: `${client}-model` };
    const opened = await openSession({ root: this.#home, author: client, task: client, force: true, origin });
    if (!opened.ok) throw new Error(opened.refusal.code);
    await using session = opened.value;
    await work(session);
  }

  #editByHand(path: string): void {
    const line = this.#pick(this.#numbered(path));
    const fresh = this.#lines(null, 1 + this.#random(2)).trimEnd();
    const replaced = this.#random(2) === 0 ? fresh : `${line}\n${fresh}`;
    this.#write(
      path,
      this.#read(path).replace(line, () => replaced),
    );
    count("edits by hand");
  }

  /** Another indentation for the file, and a call of each third line wrapped. */
  #format(path: string): void {
    const indent = this.#random(2) === 0 ? "    " : "\t";
    const lines = this.#read(path)
      .split("\n")
      .map((line) => line.replace(/^\s+/, indent));
    const wrapped = lines.map((line, i) =>
      i % 3 === 0 && line.length > 50 ? line.replace(/, (?=second)/, `,\n${indent}${indent}`) : line,
    );
    this.#write(path, wrapped.join("\n"));
    count("formatted");
  }

  /** A program that nobody records takes lines out and appends one. */
  #shell(path: string): void {
    const line = this.#pick(this.#numbered(path));
    const added = this.#lines(null, 1).trimEnd();
    const run = spawnSync("sed", ["-i", `/${/n\d+x/.exec(line)![0]}/d; 1a ${added}`, path], {
      cwd: this.#home,
    });
    if (run.status !== 0) throw new Error(String(run.stderr));
    count("shell edits");
  }

  #move(path: string): void {
    const target = `${path[0]}${this.#next}.js`;
    renameSync(join(this.#home, path), join(this.#home, target));
    this.#git("add", "-A");
    count("files moved");
  }

  async #rebase(): Promise<void> {
    this.#git("add", "-A");
    this.#git("stash", "-q");
    this.#git("checkout", "-qb", "side", "HEAD");
    this.#git("stash", "pop", "-q");
    this.#commit("side");
    this.#git("checkout", "-q", "main");
    // Git refuses to rebase a file that one side moved and rewrote.
    const isBeside = (path: string): boolean =>
      spawnSync("git", ["cat-file", "-e", `side:${path}`], { cwd: this.#home }).status === 0;
    for (const path of this.#paths().filter(isBeside).slice(0, 2)) {
      const [first, ...rest] = this.#read(path).split("\n");
      this.#write(path, [first, this.#lines(null, 4).trimEnd(), ...rest].join("\n"));
    }
    this.#commit("elsewhere");
    this.#git("checkout", "-q", "side");
    const rebased = spawnSync("git", ["rebase", "-q", "-Xtheirs", "main"], { cwd: this.#home });
    if (rebased.status !== 0) throw new Error(`rebase: ${rebased.stderr}`);
    this.#git("checkout", "-q", "main");
    this.#git("merge", "-q", "--ff-only", "side");
    this.#git("branch", "-q", "-d", "side");
    count("rebases");
  }

  #checkBlame(path: string): void {
    const { lines } = JSON.parse(this.#suture("blame", path, "--json"));
    const told = new Map<number, string | undefined>();
    for (const { startLine, endLine, client } of lines)
      for (let line = startLine; line <= endLine; line++) told.set(line, client);
    this.#compare(blamed, this.#read(path), (line) => told.get(line), path);
  }

  /** Compares the note of a commit with what it adds. */
  #checkNote(commit: string): void {
    const note = spawnSync("git", ["notes", "--ref=ai", "show", commit], {
      cwd: this.#home,
      encoding: "utf8",
    });
    const { attested, sessions } = readNote(note.stdout);
    const diff = this.#git("diff", "-M", "-U0", `${commit}~1`, commit).split(/^diff /m);
    for (const path of this.#git("diff", "--name-only", `${commit}~1`, commit).trim().split("\n")) {
      const text = spawnSync("git", ["show", `${commit}:${path}`], { cwd: this.#home, encoding: "utf8" });
      if (text.status !== 0) continue;
      const added = addedLines(diff.find((one) => one.includes(`\n+++ b/${path}\n`)) ?? "");
      const own = attested.get(path) ?? [];
      const tell = (line: number): string | undefined => {
        const range = own.find(({ start, end }) => start <= line && line <= end);
        return range && sessions[range.session]?.agent_id.tool;
      };
      this.#compare(noted, text.stdout, tell, `${commit} ${path}`, added);
    }
  }

  #compare(
    counts: Counts,
    text: string,
    tell: (line: number) => string | undefined,
    where: string,
    only?: ReadonlySet<number>,
  ): void {
    text.split("\n").forEach((line, i) => {
      const number = /n(\d+)x/.exec(line)?.[1];
      if (number === undefined || (only && !only.has(i + 1))) return;
      const truth = this.#writers[Number(number)] ?? undefined;
      const told = tell(i + 1);
      counts.lines++;
      if (told === truth) counts.right++;
      else if (told === undefined) counts.unknown++;
      else counts.wrong++;
      if (told !== truth && values.verbose) console.log(`${where}:${i + 1} ${told} for ${truth}: ${line}`);
    });
  }

  /** New lines of a writer. A formatter may break each in two. */
  #lines(writer: Client | null, many: number): string {
    return Array.from({ length: many }, () => {
      const number = this.#next++;
      this.#writers.push(writer);
      return `  call("n${number}x", first${number * 31}, second("n${number}x", ${number * 17}));\n`;
    }).join("");
  }

  #numbered(path: string): string[] {
    const lines = this.#read(path).split("\n");
    return lines.filter((line) => /n\d+x.*n\d+x/.test(line));
  }

  #paths(): string[] {
    return readdirSync(this.#home)
      .filter((name) => name.endsWith(".js"))
      .sort();
  }

  #read(path: string): string {
    return readFileSync(join(this.#home, path), "utf8");
  }

  #write(path: string, text: string): void {
    writeFileSync(join(this.#home, path), text);
  }

  #commit(message: string): void {
    this.#git("add", "-A");
    this.#git("commit", "-qm", message);
    count("commits");
  }

  #git(...words: readonly string[]): string {
    const run = spawnSync("git", words, { cwd: this.#home, encoding: "utf8" });
    if (run.status !== 0) throw new Error(`git ${words.join(" ")}: ${run.stderr}`);
    return run.stdout;
  }

  #suture(...words: readonly string[]): string {
    const { npm_command: _, ...env } = process.env;
    const run = spawnSync(process.execPath, [resolve("src/cli/main.ts"), ...words], {
      cwd: this.#home,
      encoding: "utf8",
      env,
    });
    if (run.status !== 0) throw new Error(`suture ${words.join(" ")}: ${run.stderr}`);
    return run.stdout;
  }

  #random(below: number): number {
    this.#seed = (this.#seed * 48271) % 2147483647;
    return this.#seed % below;
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random(from.length)]!;
  }
}

function count(what: string): void {
  done[what] = (done[what] ?? 0) + 1;
}

type Attested = { readonly session: string; readonly start: number; readonly end: number };

function readNote(text: string) {
  const [head = "", data = "{}"] = text.split("---\n");
  const attested = new Map<string, Attested[]>();
  let path = "";
  for (const line of head.split("\n")) {
    const [, session, spans] = /^ {2}(s_\w+)::\w+ (.*)$/.exec(line) ?? [];
    if (session === undefined) attested.set((path = line), []);
    else
      for (const span of spans!.split(",")) {
        const [start, end = start] = span.split("-").map(Number);
        attested.get(path)!.push({ session, start: start!, end: end! });
      }
  }
  const { sessions = {} } = JSON.parse(data) as {
    sessions?: Record<string, { readonly agent_id: { readonly tool: string } }>;
  };
  return { attested, sessions };
}

function addedLines(diff: string): Set<number> {
  const added = new Set<number>();
  for (const [, start, many = "1"] of diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm))
    for (let i = 0; i < Number(many); i++) added.add(Number(start) + i);
  return added;
}

for (let day = 1; day <= Number(values.days); day++) await workOneDay(day);
console.log(
  Object.entries(done)
    .map(([what, count]) => `${count} ${what}`)
    .join(", "),
);
for (const [what, counts] of Object.entries({ "suture blame": blamed, notes: noted }))
  console.log(
    `${what}: ${counts.lines} lines, ${counts.right} right (${((100 * counts.right) / counts.lines).toFixed(2)} %), ${counts.unknown} unknown, ${counts.wrong} wrong`,
  );
