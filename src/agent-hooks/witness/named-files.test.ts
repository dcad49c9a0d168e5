import { expect, test } from "vitest";
import { namedFiles } from "./named-files.ts";

const claude = (command: string): string =>
  JSON.stringify({ message: { content: [{ type: "tool_use", name: "Bash", input: { command } }] } });
const codex = (command: string): string =>
  JSON.stringify({
    payload: {
      type: "function_call",
      name: "shell",
      arguments: JSON.stringify({ command: ["bash", "-lc", command] }),
    },
  });
const gemini = (command: string): string =>
  JSON.stringify({ toolCalls: [{ name: "run_shell_command", args: { command } }] });

test.each<[string, string, string, boolean]>([
  ["a file that a command changes", claude("sed -i s/a/b/ docs/a.md"), "docs/a.md", true],
  ["the same for Codex", codex("sed -i s/a/b/ docs/a.md"), "docs/a.md", true],
  ["the same for Gemini CLI", gemini("sed -i s/a/b/ docs/a.md"), "docs/a.md", true],
  ["an absolute path", claude("touch /home/me/shop/docs/a.md"), "docs/a.md", true],
  ["a path with quotes", claude("mv x './docs/a.md'"), "docs/a.md", true],
  ["the name in another folder", claude("cd docs && rm a.md"), "docs/a.md", true],
  ["a folder", claude("npx prettier --write docs/"), "docs/deep/a.md", true],
  ["a pattern", claude("sed -i s/a/b/ docs/*.md"), "docs/a.md", true],
  ["a redirection of a reading command", claude("cat x > docs/a.md"), "docs/a.md", true],
  ["a script in a file", claude("python3 - <<E\nopen('docs/a.md','w')\nE"), "docs/a.md", true],
  ["a command that only reads", claude("cat docs/a.md | head"), "docs/a.md", false],
  ["a command of git that only reads", codex("git diff docs/a.md"), "docs/a.md", false],
  ["another file", claude("sed -i s/a/b/ docs/b.md"), "docs/a.md", false],
  [
    "a tool that reads",
    JSON.stringify({ type: "tool_use", name: "Read", input: { file_path: "docs/a.md" } }),
    "docs/a.md",
    false,
  ],
  [
    "what the user said",
    JSON.stringify({ type: "user", message: { content: "look at docs/a.md" } }),
    "docs/a.md",
    false,
  ],
  [
    "what a command printed",
    JSON.stringify({ type: "tool_result", content: "docs/a.md" }),
    "docs/a.md",
    false,
  ],
  ["the whole project", claude("npm run build ."), "docs/a.md", false],
  ["a record that is not JSON", "docs/a.md", "docs/a.md", false],
])("%s", (_, transcript, path, expected) => {
  expect(namedFiles(`{}\n${transcript}\n`, "/home/me/shop")(path)).toBe(expected);
});

test("without a record no file is named", () => {
  expect(namedFiles(null, "/home/me/shop")("a.md")).toBe(false);
});
