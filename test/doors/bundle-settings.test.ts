import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../../plugin/mcpb/manifest.json" with { type: "json" };
import { type Bundle, bundleCommand } from "./bundle.ts";

let bundle: Bundle;
const folder = mkdtempSync(join(tmpdir(), "suture-mcpb-test-"));
beforeAll(async () => {
  bundle = await bundleCommand();
});
afterAll(() => {
  bundle.remove();
  rmSync(folder, { recursive: true, force: true });
});

// What a desktop client may put in place of the folder that its user chooses.
test.each([
  ...[
    "",
    " ",
    ".",
    "..",
    "/",
    "//",
    "~",
    "-",
    "--",
    "--help",
    "--http=0",
    "--mode=write",
    "-x",
    "--root",
    "--root=/",
  ],
  ...[
    "nowhere",
    "page.md",
    "/dev/null",
    "/etc/passwd",
    "/proc/self",
    "a\nb",
    "$(touch sprung)",
    "`touch sprung`",
  ],
  ...[
    "; touch sprung",
    "| touch sprung",
    `\${user_config.root}`,
    `\${HOME}`,
    "file:///tmp",
    "C:\\",
    "\\\\host\\share",
  ],
  ...["%2e%2e", "\u202e", "null", "{}", ".git", "x".repeat(300), "x/".repeat(300)],
])(
  "the bundle of a desktop client started with %j answers or ends with a message, and starts nothing",
  async (root) => {
    const place = mkdtempSync(join(folder, "place-"));
    mkdirSync(join(place, "inner"));
    writeFileSync(join(place, "page.md"), "# Page\n");
    const args = manifest.server.mcp_config.args
      .slice(1)
      .map((arg) => arg.replace(`\${user_config.root}`, () => root));
    const child = spawn(process.execPath, [bundle.main, ...args], { cwd: place });
    let [out, errors] = ["", ""];
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (errors += data));
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    child.stdin.on("error", () => {});
    child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    const code = await new Promise((resolve) => child.once("exit", resolve));
    for (const line of out.split("\n").filter(Boolean)) expect(() => JSON.parse(line)).not.toThrow();
    expect([0, 1, 2, 3]).toContain(code);
    expect(errors).not.toMatch(/\n {4}at /);
    expect(out !== "" || errors !== "").toBe(true);
    expect(existsSync(join(place, "sprung"))).toBe(false);
    expect(
      readdirSync(place)
        .filter((name) => name !== ".suture")
        .sort(),
    ).toEqual(["inner", "page.md"]);
  },
);
