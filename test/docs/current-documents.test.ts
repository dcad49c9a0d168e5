import { afterEach, expect, test } from "vitest";
import { createRepository, type Repository } from "../drift/repository.ts";

let repository: Repository | undefined;
afterEach(() => repository?.remove());

test.each([
  ["a folder that looks like history is left alone", {}, []],
  [
    "a folder that looks like history is checked where the configuration calls it current",
    { docs: { current: ["docs/decisions/**"] } },
    ["docs/decisions/001-profiles.md"],
  ],
])("%s", (_, config, expected) => {
  repository = createRepository();
  repository.commit({
    "suture.config.json": `${JSON.stringify(config)}\n`,
    "src/profile.ts": "export function loadProfile(name: string) {\n  return name;\n}\n",
    "docs/decisions/001-profiles.md": "# 1. Profiles\n\nThey are read by `loadProfile()`.\n",
    "CHANGELOG.md": "# Changes\n\n- `loadProfile()` is new.\n",
  });
  repository.commit({
    "src/profile.ts": "export function openProfile(name: string) {\n  return name;\n}\n",
  });
  const { findings } = repository.suture("check", "--base", "HEAD~1", "--json").json();
  expect(findings.map(({ path }: { path: string }) => path)).toEqual(expected);
});
