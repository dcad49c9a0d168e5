import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { sutureIn } from "../drift/repository.ts";
import { house, openProject, type Project, renamed, repository, start, token } from "./project.ts";

// Suture comes from a git address and builds itself there, so npm needs the registry for its tools, and a clone of this repository.
const hasRegistry = spawnSync("npm", ["view", "tsdown", "version"], { timeout: 60_000 }).status === 0;
const hasClone = spawnSync("git", ["rev-parse", "HEAD"], { cwd: house }).status === 0;
// The runner has a home of its own, and the registry and the cache of this machine.
const setting = (name: string): string =>
  execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim();

let project: Project | undefined;
afterEach(async () => {
  await project?.close();
  project = undefined;
});

/** The address of the last commit of this repository. */
function address(): string {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: house, encoding: "utf8" }).trim();
  return `git+file://${house}#${commit}`;
}

/** A tarball in the checkout, made from the address. */
function tarball(work: string): string {
  const vendor = join(work, "vendor");
  mkdirSync(vendor);
  execFileSync("npm", ["pack", address(), "--pack-destination", vendor], { stdio: "pipe" });
  return `vendor/${readdirSync(vendor)[0]}`;
}

/** The steps of the workflow that are commands, as a runner runs them: with the real npx, outside the checkout. */
async function runWorkflow(file: string, event: object) {
  const { work, folder, git, host } = project!;
  const temp = join(folder, "temp");
  mkdirSync(temp);
  writeFileSync(join(folder, "event.json"), JSON.stringify(event));
  const { jobs } = parse(readFileSync(file, "utf8")) as { jobs: { check: { steps: { run?: string }[] } } };
  const [line] = jobs.check.steps.flatMap(({ run }) => run ?? []);
  return await start("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", line!], {
    cwd: temp,
    env: {
      PATH: process.env.PATH!,
      HOME: folder,
      npm_config_cache: setting("cache"),
      npm_config_registry: setting("registry"),
      npm_config_userconfig: setting("userconfig"),
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: join(folder, "event.json"),
      GITHUB_REPOSITORY: repository,
      GITHUB_API_URL: host.url,
      GITHUB_SHA: git("rev-parse", "HEAD"),
      GITHUB_WORKSPACE: work,
      GITHUB_TOKEN: token,
      RUNNER_TEMP: temp,
    },
  });
}

describe.skipIf(!hasRegistry || !hasClone)(
  "a check of pull requests, without a package in a registry",
  () => {
    test.each([
      ["a git address", address],
      ["a tarball in the checkout", tarball],
    ])("from `init` to the comment, with %s", async (_, from) => {
      project = await openProject();
      const { git, commit, pull, pullEvent, comments, work } = project;
      git("checkout", "-q", "-b", "topic");
      const words = ["init", "--yes", "--ci", "github", "--from", from(work), "--replay", "0", "--json"];
      const { files } = sutureIn(work, words).json();
      expect(files).toMatchObject([{ path: ".github/workflows/suture.yml" }]);
      commit(renamed);
      pull(7, "topic");
      const workflow = join(project.folder, "workflow.yml");
      copyFileSync(join(work, files[0].path), workflow);
      const { code, err } = await runWorkflow(workflow, pullEvent(7));
      expect({ code, err: code === 1 ? "" : err }).toEqual({ code: 1, err: "" });
      const [comment] = comments(7);
      expect(comment!.body).toContain("README.md");
      expect(comment!.body).toContain("POSTBOX_API_TOKEN");
    });
  },
);
