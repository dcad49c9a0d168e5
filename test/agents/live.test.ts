import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "./project.ts";
import type { Request, Turn } from "./scripted-server.ts";

let project: Project | undefined;
afterEach(() => project?.close());

const main = join(import.meta.dirname, "../../src/cli/main.ts");

function hasScript(): boolean {
  try {
    execFileSync("script", ["--version"]);
    return true;
  } catch {
    console.log("skipped: no script(1) here, so that there is no terminal to run in");
    return false;
  }
}

async function begin(): Promise<NodeJS.ProcessEnv> {
  project = await openProject(
    { "src/a.ts": "export const now = 1;\n", "docs/a.md": "# A\n\nIt was `then`.\n" },
    async (request: Request): Promise<Turn> => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (request.system.includes("You study")) return { text: "A tool." };
      if (request.system.includes("You plan"))
        return { text: '[{"path": "docs/a.md", "relevantPaths": ["src/a.ts"]}]' };
      if (request.messages.at(-1)!.role === "tool") return { text: "Done." };
      const input = { original_text_snippet: "`then`", new_text_snippet: "`now`", reason: "Renamed." };
      return { calls: [{ name: "patch_file", input }] };
    },
  );
  return { PATH: process.env.PATH, TERM: "xterm", ...project.environment() };
}

test.skipIf(!hasScript())(
  "at a terminal pages are a list that is drawn in place and gone at the end",
  async () => {
    const env = await begin();
    const command = `"${process.execPath}" "${main}" documentation --no-review --root "${project!.root}"`;
    const { stdout } = await promisify(execFile)("script", ["-qec", command, "/dev/null"], { env });
    expect(stdout).toMatch(
      /\u001b\[1A\u001b\[0J. docs\/a\.md {2}updating {2}\d+ tokens in, \d+ out, \$0\.\d{4}/,
    );
    expect(stdout).toContain("✔ Wrote docs/a.md");
    const last = stdout.lastIndexOf("\u001b[0J");
    expect(stdout.slice(last)).not.toContain("updating");
    expect(project!.text("docs/a.md")).toContain("`now`");
  },
);

test("elsewhere there are plain lines on standard error, and under --json one value on standard output", async () => {
  const env = await begin();
  const args = [main, "documentation", "--no-review", "--json", "--root", project!.root];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  expect(stderr).not.toContain("\u001b");
  expect(stderr).toContain("… docs/a.md: updating\n");
  expect(JSON.parse(stdout)).toMatchObject({ pages: [{ path: "docs/a.md", status: "updated" }] });
});
