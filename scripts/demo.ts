/** The main job on the bundled example: a change of code breaks a project's documents; they are found and fixed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitIn, makeExample } from "./example.ts";

const house = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "suture-postbox-"));
const git = gitIn(folder);
const colour = process.stdout.isTTY && !process.env.NO_COLOR;

makeExample(folder);

say("A small project, and the change that makes it version 2: code only, no documents.");
console.log(git("show", "--stat", "--format=%h %s", "HEAD").trim());

say("What did it make false?", "suture check --base HEAD~1");
suture("check", "--base", "HEAD~1");

say("Make the documents true again, by rule, each edit with its reason.", "suture fix --base HEAD~1 --yes");
suture("fix", "--base", "HEAD~1", "--yes");

say("Every edit comes out of git again, with no model and no network.", "suture verify");
suture("verify");

say("All of it can be taken back.", "suture undo RUN");
const [newest] = JSON.parse(suture("log", "--json", "--limit", "1")).entries as { run: string }[];
suture("undo", newest!.run, "--yes");
const left = git("status", "--porcelain", "--", ".").trim();
console.log(left === "" ? "The work tree is as it was committed, byte for byte." : left);

rmSync(folder, { recursive: true, force: true });
say(
  "Try it on your own repository: `npm link` here puts `suture` on your path; then, there, `suture check` and `suture fix`. Nothing is written without a way back.",
);

function say(text: string, command?: string): void {
  const [bold, dim, end] = colour ? ["\u001b[1m", "\u001b[2m", "\u001b[0m"] : ["", "", ""];
  console.log(`\n${bold}${text}${end}${command ? `\n${dim}$ ${command}${end}` : ""}`);
}

function suture(...args: string[]): string {
  const silent = args.includes("--json");
  const run = spawnSync(process.execPath, [join(house, "bin", "suture.cjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", silent ? "pipe" : "inherit", "inherit"],
  });
  // 1 is what check and fix answer while something is left for a person.
  if (run.status !== 0 && run.status !== 1) throw new Error(`suture ${args[0]} ended with ${run.status}`);
  return run.stdout ?? "";
}
