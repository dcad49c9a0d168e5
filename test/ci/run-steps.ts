import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { house, type Project, repository, start, token } from "./project.ts";

export type Step = {
  id?: string;
  run?: string;
  uses?: string;
  env?: Record<string, string>;
  "working-directory"?: string;
};

export const action = parse(readFileSync(join(house, "action.yml"), "utf8")) as {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
};
/**
 * Runs the `run` steps as a runner would: expressions filled in, variables set, one shell each. What `npx` would fetch are our
 * sources, unless the machine's own npx is wanted.
 */
export async function runSteps(
  project: Project,
  steps: readonly Step[],
  event: object,
  {
    name = "pull_request",
    inputs = {},
    checkout = project.work,
    env = {},
    hasOwnNpx = false,
  }: {
    name?: string;
    inputs?: Record<string, string>;
    checkout?: string;
    env?: Record<string, string>;
    hasOwnNpx?: boolean;
  } = {},
) {
  const place = mkdtempSync(join(project.folder, "runner-"));
  const [temp, home] = [join(place, "temp"), join(place, "action")];
  mkdirSync(temp);
  // The action as it is checked out, with an entry that runs our sources; `npx` does the same.
  cpSync(join(house, "bin"), join(home, "bin"), { recursive: true });
  mkdirSync(join(home, "dist/cli"), { recursive: true });
  const main = join(house, "src/cli/main.ts");
  writeFileSync(join(home, "dist/cli/main.cjs"), `import(${JSON.stringify(main)});\n`);
  writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module", version: manifest.version }));
  const tools = join(place, "tools");
  mkdirSync(tools);
  const npx = `#!/bin/sh\necho "$@" >> "${place}/npx.log"\nwhile [ "$1" != ci ]; do shift; done\nexec "${process.execPath}" "${main}" "$@"\n`;
  if (!hasOwnNpx) writeFileSync(join(tools, "npx"), npx, { mode: 0o755 });
  writeFileSync(join(place, "event.json"), JSON.stringify(event));
  const context: Record<string, unknown> = {
    github: { token, action_path: home, event, sha: project.git("rev-parse", "HEAD") },
    runner: { temp },
    inputs: {
      ...Object.fromEntries(
        Object.entries(action.inputs).map(([key, { default: value = "" }]) => [key, value]),
      ),
      ...inputs,
    },
  };
  const fill = (text: string): string =>
    text.replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_, path: string) => {
      const found = path
        .split(".")
        .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], context);
      return fillAgain(String(found ?? ""));
    });
  const fillAgain = (text: string): string => (text.includes("${{") ? fill(text) : text);
  const results = [];
  for (const step of steps) {
    if (step.run === undefined) continue;
    const set = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, fill(value)]));
    const environment = {
      PATH: `${tools}:${process.execPath.replace(/\/node$/, "")}:${process.env.PATH}`,
      HOME: place,
      NO_COLOR: "1",
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: join(place, "event.json"),
      GITHUB_REPOSITORY: repository,
      GITHUB_API_URL: project.host.url,
      GITHUB_SHA: project.git("rev-parse", "HEAD"),
      GITHUB_WORKSPACE: checkout,
      GITHUB_OUTPUT: join(place, "output"),
      GITHUB_STEP_SUMMARY: join(place, "summary.md"),
      RUNNER_TEMP: temp,
      ...env,
      ...set,
    };
    const cwd = step["working-directory"] === undefined ? checkout : fill(step["working-directory"]);
    results.push(
      await start("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", fill(step.run)], {
        cwd,
        env: environment,
      }),
    );
  }
  return { results, place, temp };
}
