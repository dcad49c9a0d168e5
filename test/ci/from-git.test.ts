import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { house, openProject, renamed, start } from "./project.ts";
import { runSteps } from "./run-steps.ts";

const cache = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();

/** npm as on any machine, with what it has fetched before. */
const npm = { PATH: process.env.PATH!, npm_config_cache: cache, npm_config_prefer_offline: "true" };

test("npm builds the package from a git address, and a pull request is checked with it, from init to the comment", async ({
  skip,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "suture-from-git-"));
  const project = await openProject();
  try {
    const address = `git+file://${commitSources(folder)}`;
    const user = join(folder, "user");
    mkdirSync(user);
    writeFileSync(join(user, "package.json"), "{}");
    const installed = await start("npm", ["install", "--save-dev", "--no-audit", address], {
      cwd: user,
      env: { ...npm, HOME: folder },
    });
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED/.test(installed.err)) skip("there is no npm registry");
    expect(installed).toMatchObject({ code: 0 });

    project.git("checkout", "-q", "-b", "topic");
    project.commit(renamed);
    project.pull(7, "topic");
    const words = ["init", "--yes", "--ci", "github", "--from", address, "--replay", "0", "--json"];
    const begun = await start(join(user, "node_modules/.bin/suture"), words, {
      cwd: project.work,
      env: { PATH: npm.PATH, HOME: folder },
    });
    const [{ path }] = JSON.parse(begun.out).files;
    const { jobs } = parse(readFileSync(join(project.work, path), "utf8"));
    const { results } = await runSteps(project, jobs.check.steps, project.pullEvent(7), {
      hasOwnNpx: true,
      env: npm,
    });
    expect(results.map(({ code, err }) => [code, err.includes("npm error")])).toEqual([[1, false]]);
    expect(project.comments(7).map(({ body }) => body)).toEqual([
      expect.stringContaining("`POSTBOX_API_TOKEN`"),
    ]);
  } finally {
    await project.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A repository with one commit of the files that this one has now. */
function commitSources(folder: string): string {
  const clone = join(folder, "suture");
  const listed = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], { cwd: house });
  for (const path of listed.toString().split("\0").filter(Boolean)) {
    if (!existsSync(join(house, path))) continue;
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(house, path), join(clone, path));
  }
  const git = (...words: string[]) => execFileSync("git", words, { cwd: clone });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qm", "sources");
  return clone;
}
