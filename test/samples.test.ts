import { spawnSync } from "node:child_process";
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { makeExample } from "../scripts/example.ts";

/**
 * What documents show is what happens. A `console` block is played in a repository of its own, made of the bundled
 * example: each `$` line is run, and what stands below it must come out, `…` standing for anything. A `ts` block is run
 * as a module. Blocks marked `sh` are for what serves, or needs the published package or another program.
 */
const documents = ["README.md", ...globSync(["docs/*.md", "docs/clients/*.md"])].sort();
const house = process.cwd();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "suture-samples-"));
  mkdirSync(join(folder, "bin"));
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${join(house, "src/cli/main.ts")}" "$@"\n`;
  writeFileSync(join(folder, "bin", "suture"), shim);
  chmodSync(join(folder, "bin", "suture"), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(documents)("%s", (document) => {
  const blocks = findBlocks(readFileSync(document, "utf8"));

  const plays = blocks
    .filter(({ language }) => language === "console")
    .flatMap(({ text }) => parsePlay(text));
  if (plays.length > 0)
    test("its terminal output is what the commands print", () => {
      const root = newExample(document);
      for (const play of plays) expect(perform(root, play)).toEqual(play.wanted);
    });

  const programs = blocks.filter(({ language }) => language === "ts");
  if (programs.length > 0)
    test.each(programs)("its program on line $line runs", ({ text, line }) => {
      const source = text.replace(/"(suture(?:\/\w+)?)"/g, (_, name: string) =>
        JSON.stringify(entryOf(name)),
      );
      const ran = spawnSync(
        process.execPath,
        ["--no-warnings", "--input-type=module-typescript", "--eval", source],
        {
          cwd: newExample(`${document}-${line}`),
          encoding: "utf8",
        },
      );
      expect(ran.stderr).toBe("");
      for (const line of promisedLines(text)) expect(ran.stdout).toContain(line);
    });

  test("a command of ours that is shown is also run", () => {
    const unplayed = blocks
      .filter(({ language }) => language === "sh")
      .flatMap(({ text }) => text.split("\n").filter((line) => /^suture (?!mcp|review|fleet)/.test(line)));
    expect(unplayed).toEqual([]);
  });
});

describe("examples/library", () => {
  test.each(globSync("examples/library/*.ts").sort())("%s runs, and prints what it says", (path) => {
    const hook = pathToFileURL(join(house, "test/suture-from-source.ts")).href;
    const ran = spawnSync(process.execPath, ["--no-warnings", "--import", hook, join(house, path)], {
      cwd: newExample(path),
      encoding: "utf8",
    });
    expect(ran.stderr).toBe("");
    for (const line of promisedLines(readFileSync(path, "utf8"))) expect(ran.stdout).toContain(line);
  });
});

type Block = { readonly language: string; readonly text: string; readonly line: number };
type Play = { readonly command: string; readonly wanted: readonly string[] };

function findBlocks(text: string): Block[] {
  return Array.from(text.matchAll(/^```(\w+)\n(.*?)^```$/gms), ({ 1: language, 2: inner, index }) => ({
    language: language!,
    text: inner!,
    line: text.slice(0, index).split("\n").length,
  }));
}

function parsePlay(text: string): Play[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command, ...wanted] = part.replace(/\n+$/, "").replaceAll("\\\n", " ").split("\n");
      return { command: command!, wanted };
    });
}

/** What came out, with `…` wherever the wanted lines have it and anything fits. */
function perform(root: string, { command, wanted }: Play): readonly string[] {
  // At a person's terminal: in CI the configuration of the base counts.
  const env = {
    ...process.env,
    CI: "",
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    NO_COLOR: "1",
    COLUMNS: "120",
  };
  const ran = spawnSync("sh", ["-c", `(${command}\n) 2>&1`], { cwd: root, encoding: "utf8", env });
  const lines = ran.stdout.replace(/\n+$/, "").split("\n");
  if (wanted.length === 0) return ran.status === 0 ? wanted : lines;
  return fits(lines, wanted) ? wanted : lines;
}

function fits(lines: readonly string[], wanted: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return lines.length === 0;
  if (first.trim() === "…") return rest.length === 0 || lines.some((_, i) => fits(lines.slice(i), rest));
  const pattern = first.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return (
    lines.length > 0 && new RegExp(`^${pattern.join(".*")}$`).test(lines[0]!) && fits(lines.slice(1), rest)
  );
}

/** Lines that a program promises in comments: `// prints: …`. */
function promisedLines(text: string): string[] {
  return Array.from(text.matchAll(/\/\/ prints: (.*)$/gm), ([, line]) => line!);
}

function entryOf(name: string): string {
  const entry = manifest.exports[name.replace("suture", ".") as keyof typeof manifest.exports] as {
    default: string;
  };
  return pathToFileURL(entry.default.replace("./dist", "src").replace(/\.js$/, ".ts")).href;
}

function newExample(name: string): string {
  const root = join(folder, name.replaceAll("/", "-"));
  makeExample(root);
  return root;
}
