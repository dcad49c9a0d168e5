import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Mode, Profile, Result } from "../../src/tools/tool.ts";
import { loadTree, type Tree } from "./tree.ts";

/** A tool call, or an action of another program in between: writing a file, committing everything to git. */
export type Step =
  | { readonly tool: string; readonly input: unknown }
  | { readonly write: { readonly path: string; readonly text: string } }
  | { readonly commit: string };

export type PlaceOptions = {
  readonly profile?: Profile;
  readonly mode?: Mode;
  readonly run?: string;
  readonly article?: string;
  readonly force?: boolean;
  readonly strict?: boolean;
};

export type Scenario = {
  readonly name: string;
  readonly before: Tree;
  readonly after: Tree;
  readonly steps: readonly Step[];
  readonly options: PlaceOptions;
  /** One for each call. */
  readonly expected: readonly Record<string, unknown>[];
  /** Where it can be run; everywhere unless it says otherwise. */
  readonly doors?: readonly string[];
};

/** A way to the tools, opened over the files of one scenario. */
export type Room = {
  call(tool: string, input: unknown): Promise<Result>;
  write(path: string, text: string): Promise<void>;
  /** Absent where there is no git. */
  commit?(message: string): void;
  tree(): Promise<Tree>;
  close(): Promise<void>;
};

export type Door = {
  readonly name: string;
  open(scenario: Scenario): Promise<Room>;
};

const folder = "scenarios";

export function loadScenarios(door: string): Scenario[] {
  const names = readdirSync(folder).filter((name) => /^\d{3}-/.test(name));
  return names
    .sort()
    .map(loadScenario)
    .filter(({ doors }) => doors === undefined || doors.includes(door));
}

function loadScenario(name: string): Scenario {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, name, file), "utf8"));
  const call = read("call.json") as Record<string, unknown> | Step[];
  const { calls, tool, input, doors, ...options } = Array.isArray(call)
    ? { calls: call, tool: undefined, input: undefined, doors: undefined }
    : call;
  const before = loadTree(join(folder, name, "before"));
  const changed = existsSync(join(folder, name, "after"));
  return {
    name,
    before,
    after: changed ? loadTree(join(folder, name, "after")) : before,
    steps: (calls ?? [{ tool, input }]) as Step[],
    options,
    expected: [read("result.json")].flat() as Record<string, unknown>[],
    ...(doors === undefined ? {} : { doors: doors as string[] }),
  };
}

/** Runs a scenario through a door, and demands the same answers and the same bytes of every one. */
export async function runScenario(scenario: Scenario, door: Door): Promise<void> {
  const room = await door.open(scenario);
  try {
    const results: Result[] = [];
    for (const step of scenario.steps) {
      if ("write" in step) await room.write(step.write.path, step.write.text);
      else if ("commit" in step) room.commit!(step.commit);
      else {
        const result = await room.call(step.tool, fill(step.input, results));
        compare(result, fill(scenario.expected[results.length], results), scenario.name);
        results.push(result);
      }
    }
    expect(results.length, "a result is expected for every call").toBe(scenario.expected.length);
    expect(showTree(await room.tree())).toEqual(showTree(scenario.after));
  } finally {
    await room.close();
  }
}

/** `{{0.entry}}` stands for a field of an earlier result. */
function fill(value: unknown, results: readonly Result[]): unknown {
  if (typeof value === "string") {
    const [, index, field] = /^\{\{(\d+)\.(\w+)\}\}$/.exec(value) ?? [];
    return index === undefined ? value : results[Number(index)]?.[field!];
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, results));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, results)]));
}

/** Expected fields are compared; a list of fragments is looked for in a text. */
function compare(actual: Result, expected: unknown, name: string): void {
  const { success, ...fields } = expected as Record<string, unknown>;
  expect(actual.success, `${name}: ${JSON.stringify(actual).slice(0, 2000)}`).toBe(success);
  // A tool that a door does not offer cannot say why.
  if (actual.code === notOffered) return;
  for (const [field, value] of Object.entries(fields)) {
    const found = actual[field];
    if (typeof found === "string" && Array.isArray(value))
      for (const fragment of value) expect(found, `${name}: ${field}`).toContain(fragment);
    else expect({ [field]: found }, name).toMatchObject({ [field]: value });
  }
}

/** The answer of a door that does not offer the tool, in place of a refusal. */
export const notOffered = "not-offered";

function showTree(tree: Tree): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).map(([path, bytes]) => [path, Buffer.from(bytes).toString("latin1")]),
  );
}
