import { afterEach, expect, test } from "vitest";
import { createRepository, type Repository } from "../drift/repository.ts";
import { openProject, type Project, repository } from "./project.ts";

// The host has the repository of the documents; the code is in a clone beside it.

let handbook: Project | undefined;
let service: Repository | undefined;
afterEach(async () => {
  await handbook?.close();
  service?.remove();
});

const code = (name: string): string => `export const token = process.env.${name};\n`;

test("ci --docs opens the pull request in the repository of the documents, and closes it when they are true", async () => {
  handbook = await openProject({ "guide.md": "# Guide\n\nSet `POSTBOX_TOKEN`.\n" });
  service = createRepository();
  service.commit({ "src/env.ts": code("POSTBOX_TOKEN"), "README.md": "# Service\n\nSet `POSTBOX_TOKEN`.\n" });
  service.commit({ "src/env.ts": code("POSTBOX_API_TOKEN") });
  const [before, after] = ["HEAD~1", "HEAD"].map((name) => service!.git("rev-parse", name).trim());
  const run = (...more: string[]) =>
    handbook!.ci(
      ["--docs", handbook!.work, ...more],
      { ref: "refs/heads/main", before, after },
      { name: "push", cwd: service!.folder, env: { GITHUB_REPOSITORY: "acme/service", GITHUB_SHA: after! } },
    );

  const unnamed = await run("--mode", "pull-request");
  expect([unnamed.code, unnamed.err]).toEqual([3, expect.stringContaining("--docs-repository")]);

  const opened = await run("--mode", "pull-request", "--docs-repository", repository);
  expect([opened.code, opened.outputs]).toMatchObject([0, { open: "0", fixed: "1" }]);
  const [[, made] = []] = handbook.host.pulls;
  expect(made).toMatchObject({
    state: "open",
    head: { ref: "suture/acme/service/main" },
    base: { ref: "main" },
  });
  handbook.git("fetch", "-q", "origin");
  expect(handbook.git("show", "origin/suture/acme/service/main:guide.md")).toContain("POSTBOX_API_TOKEN");
  expect(service.read("README.md")).toContain("POSTBOX_TOKEN");
  expect(opened.summary).toContain(`/acme/service/blob/${after}/src/env.ts#L1`);

  handbook.commit({ "guide.md": "# Guide\n\nSet `POSTBOX_API_TOKEN`.\n" });
  handbook.git("push", "-q", "origin", "main");
  const clean = await run("--mode", "pull-request", "--docs-repository", repository);
  expect(clean.code).toBe(0);
  expect(handbook.host.pulls.get(made!.number)!.state).toBe("closed");
});

test("ci --docs: edits cannot be suggested on a pull request of the code", async () => {
  handbook = await openProject();
  const refused = await handbook.ci(["--docs", ".", "--mode", "suggest"], {});
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("check or pull-request")]);
});
