/** The main job on the bundled example: a change of code breaks a project's documents; they are found and mended. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const house = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "suture-postbox-"));
const colour = process.stdout.isTTY && !process.env.NO_COLOR;

cpSync(join(house, "examples", "postbox"), folder, { recursive: true });
git("init", "--quiet");
commit("postbox 1.4");

say("A small project, and the change that makes it version 2: code only, no documents.");
suture("apply", join(house, "examples", "postbox.patch"), "--reason", "version 2", "--force", "--quiet");
commit("postbox 2.0");
console.log(git("show", "--stat", "--format=%h %s", "HEAD").trim());

say("What did it make false?", "suture check --base HEAD~1");
suture("check", "--base", "HEAD~1");

say("Make the documents true again, by rule, each edit with its reason.", "suture fix --base HEAD~1 --yes");
suture("fix", "--base", "HEAD~1", "--yes");

say("Every edit comes out of git again, with no model and no network.", "suture verify");
suture("verify");

say("All of it can be taken back.", "suture undo --run RUN");
const [newest] = JSON.parse(suture("log", "--json", "--limit", "1")).entries as { run: string }[];
suture("undo", newest!.run, "--yes");
const left = git("status", "--porcelain", "--", ".").trim();
console.log(left === "" ? "The work tree is as it was committed, byte for byte." : left);

rmSync(folder, { recursive: true, force: true });
say(
  "Try it on your own repository: `suture check`, then `suture fix`. Nothing is written without a way back.",
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

function git(...args: string[]): string {
  const who = [
    "-c",
    "user.name=Example",
    "-c",
    "user.email=example@example.org",
    "-c",
    "commit.gpgsign=false",
  ];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" });
}

function commit(message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}
