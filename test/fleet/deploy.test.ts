import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { everywhere } from "../../src/cli/command.ts";
import { command } from "../../src/cli/commands/fleet/fleet.ts";

const known = new Set([...command.options, ...everywhere].map(({ name }) => name));
const files = globSync("deploy/**/*.{yaml,service}").concat("deploy/Dockerfile");

test.each(files)("%s can be read, and every option of `suture fleet` in it exists", (file) => {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".yaml")) for (const { errors } of parseAllDocuments(text)) expect(errors).toEqual([]);
  const used = text
    .split("\n")
    .filter(
      (line) =>
        /suture fleet (run|worker)|\b(run|worker), --|^ *- --|CMD/.test(line) && !line.startsWith("#"),
    )
    .flatMap((line) => Array.from(line.matchAll(/--([a-z][a-z-]*)/g), (match) => match[1]!));
  expect(used.filter((name) => !known.has(name))).toEqual([]);
  expect(used.length).toBeGreaterThan(0);
});
