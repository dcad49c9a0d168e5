import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findWorkflowFlaws } from "../../src/ci/workflow-flaws.ts";
import { releasedSource, runFrom } from "../../src/hosts/package-source.ts";
import { house, openProject, type Project, renamed, token } from "./project.ts";
import { action, runSteps, type Step } from "./run-steps.ts";

const recipes = globSync(join(house, "docs/ci/*.yml")).filter((file) => !/gitlab/.test(file));
const workflows = [...recipes, ...globSync(join(house, ".github/workflows/*.yml"))];

let project: Project | undefined;
afterEach(async () => {
  await project?.close();
  project = undefined;
});

async function openTopic(fork: string | null = null): Promise<Project> {
  project = await openProject();
  project.git("checkout", "-q", "-b", "topic");
  project.commit({
    ...renamed,
    ".npmrc": "registry=https://registry.evil.test/\n",
    "package.json": '{"scripts":{"preinstall":"touch /tmp/evil"}}',
  });
  project.pull(7, "topic", fork);
  return project;
}

describe("action.yml, its own script", () => {
  test("checks, comments and hands out its outputs", async () => {
    const { pullEvent, comments } = await openTopic();
    const { results, place } = await runSteps(project!, action.runs.steps, pullEvent(7), {
      inputs: { sarif: "out/suture.sarif" },
    });
    expect(results.map(({ code }) => code)).toEqual([1]);
    expect(comments(7)).toHaveLength(1);
    const outputs = readFileSync(join(place, "output"), "utf8");
    for (const { value } of Object.values(action.outputs)) {
      const [, name] = /^\$\{\{ steps\.suture\.outputs\.(\w+) \}\}$/.exec(value)!;
      expect(outputs).toMatch(new RegExp(`^${name}=`, "m"));
    }
    const sarif = JSON.parse(readFileSync(join(project!.work, "out/suture.sarif"), "utf8"));
    expect(sarif.runs[0].results).toHaveLength(2);
  });

  test("quotes, dollars and semicolons in inputs run nothing", async () => {
    const { pullEvent, folder } = await openTopic();
    const evil = `"; touch ${folder}/evil; $(touch ${folder}/evil) \`touch ${folder}/evil\``;
    const { results } = await runSteps(project!, action.runs.steps, pullEvent(7), {
      inputs: { base: evil, sarif: "" },
    });
    expect(results.map(({ code }) => code)).toEqual([3]);
    expect(globSync(`${folder}/evil`)).toEqual([]);
  });

  test("commit mode, and no error where it is not strict", async () => {
    const { pullEvent, host } = await openTopic();
    const { results } = await runSteps(project!, action.runs.steps, pullEvent(7), {
      inputs: { mode: "commit", strict: "false", comment: "false" },
    });
    expect(results.map(({ code }) => code)).toEqual([0]);
    expect(host.git(["log", "-1", "--format=%s", "topic"])).toContain("docs: keep 2 passages true");
  });
});

describe("the recipes of docs/ci", () => {
  const steps = (file: string): Step[] => {
    const { jobs } = parse(readFileSync(join(house, "docs/ci", file), "utf8")) as {
      jobs: Record<string, { steps: Step[] }>;
    };
    return Object.values(jobs)[0]!.steps;
  };

  test("check.yml runs outside the checkout and ignores its packages and settings", async () => {
    const { pullEvent, comments } = await openTopic();
    const { results, place } = await runSteps(project!, steps("check.yml"), pullEvent(7));
    expect(results.map(({ code }) => code)).toEqual([1]);
    expect(comments(7)).toHaveLength(1);
    expect(readFileSync(join(place, "npx.log"), "utf8")).toContain(
      `--package ${releasedSource.spec} -- suture ci`,
    );
  });

  test("mend-main.yml opens one pull request", async () => {
    const { git, commit, host } = await openTopic();
    git("checkout", "-q", "main");
    const [before, after] = [git("rev-parse", "HEAD"), commit(renamed)];
    git("push", "-q", "origin", "main");
    const event = { ref: "refs/heads/main", before, after };
    const { results } = await runSteps(project!, steps("mend-main.yml"), event, { name: "push" });
    expect(results.map(({ code }) => code)).toEqual([0]);
    expect(host.tip("suture/main")).toMatch(/^[0-9a-f]{40}$/);
  });

  test("fork-check.yml and fork-publish.yml pass on the artefact only, never the token", async () => {
    const { pullEvent, comments, host, folder, git, bare } = await openTopic("mallory/postbox");
    const first = await runSteps(project!, steps("fork-check.yml"), pullEvent(7));
    expect(first.results.map(({ code }) => code)).toEqual([1]);
    expect(host.received).toEqual([]);
    const trusted = join(folder, "trusted");
    git("clone", "-q", "--branch", "main", bare, trusted);
    host.git(["config", "uploadpack.allowAnySHA1InWant", "true"]);
    const { head } = host.pulls.get(7)!;
    const event = {
      workflow_run: {
        id: 1,
        event: "pull_request",
        head_sha: head.sha,
        head_branch: head.ref,
        head_repository: head.repo,
      },
    };
    const publish = steps("fork-publish.yml");
    const artefact = readFileSync(join(first.temp, "suture/suture.json"), "utf8");
    const bring: Step = {
      run: `mkdir "$RUNNER_TEMP/suture" && printf '%s' "$ARTEFACT" > "$RUNNER_TEMP/suture/suture.json"`,
      env: { ARTEFACT: artefact },
    };
    const { results } = await runSteps(project!, [bring, ...publish], event, {
      name: "workflow_run",
      checkout: trusted,
    });
    expect(results.map(({ code, err }) => [code, code === 0 ? "" : err])).toEqual([
      [0, ""],
      [0, ""],
      [0, ""],
    ]);
    expect(comments(7)).toHaveLength(1);
    const said = results.map(({ out, err }) => out + err).join("\n");
    expect(
      `${said}${artefact}${host.received.map(({ body, path }) => path + body).join("\n")}`,
    ).not.toContain(token);
  });
});

describe("every workflow we publish", () => {
  test.each([...workflows, join(house, "action.yml")].map((file) => [basename(file), file]))(
    "%s has no flaw that our linter knows",
    (_, file) => {
      expect(findWorkflowFlaws(readFileSync(file, "utf8"))).toEqual([]);
    },
  );

  test.each(recipes.map((file) => [basename(file), file]))(
    "%s has no more permissions than it needs, and no secret but the job's token",
    (_, file) => {
      const text = readFileSync(file, "utf8");
      const { permissions, on } = parse(text) as {
        permissions: Record<string, string>;
        on: Record<string, unknown>;
      };
      const allowed = ["actions", "contents", "pull-requests"];
      expect(Object.keys(permissions).filter((name) => !allowed.includes(name))).toEqual([]);
      if ("pull_request" in on) expect(permissions.contents).toBe("read");
      if (/fork-check/.test(file)) expect(permissions).toEqual({ contents: "read" });
      expect(text).not.toMatch(/secrets\.|API_KEY|NPM_TOKEN/);
    },
  );

  test("no workflow runs a model or triggers itself", () => {
    for (const file of workflows) {
      const text = readFileSync(file, "utf8");
      expect(text).not.toMatch(/--model|_API_KEY|suture (run|documentation|impact)/);
      const on = parse(text).on as Record<string, unknown>;
      expect(
        Object.keys(on).filter((name) => /issue_comment|pull_request_review|pull_request_target/.test(name)),
      ).toEqual([]);
    }
  });

  test("the recipes name the place of this version exactly", () => {
    for (const file of [
      ...recipes,
      join(house, "docs/ci/gitlab-ci.yml"),
      join(house, ".pre-commit-hooks.yaml"),
    ])
      for (const [call] of readFileSync(file, "utf8").matchAll(/npx .*?(?= ci )/g))
        expect(call).toBe(runFrom(releasedSource, "$TOP"));
  });
});
