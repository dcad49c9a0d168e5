import { describe, expect, test } from "vitest";
import { codeFrom, commitEdits, openTestBench, quote, rewrite, value } from "../testing.ts";
import { AskedPolicy } from "./asked-policy.ts";
import type { PathPolicy } from "./paths.ts";

const files = { "a.md": "old\n", "package.json": "{}\n", ".github/workflows/x.yml": "on: push\n" };

/** An answer as plain JavaScript may give it: the types do not allow these. */
const odd = (answer: unknown): boolean => answer as boolean;

describe("only the answer true allows", () => {
  test.each<[string, PathPolicy]>([
    ["a promise of false", { consent: async () => false }],
    ["a promise of a text", { consent: async () => odd("yes") }],
    ["an object", { consent: () => odd({}) }],
    ["no answer", { consent: () => odd(undefined) }],
  ])("%s is no consent", async (_, policy) => {
    const { workspace, text } = await openTestBench(files, { policy });
    for (const path of ["package.json", ".github/workflows/x.yml"]) {
      const edit = rewrite(path, "changed");
      expect(codeFrom(await commitEdits(workspace, [edit]))).toBe("needs-consent");
      expect(text(path)).toBe(files[path as keyof typeof files]);
    }
  });

  test.each<[string, PathPolicy]>([
    ["a promise of false", { writable: async () => false }],
    ["a number", { writable: () => odd(1) }],
  ])("%s does not make a path writable", async (_, policy) => {
    const { workspace, text } = await openTestBench(files, { policy });
    expect(codeFrom(await commitEdits(workspace, [quote("a.md", "old", "new")]))).toBe("not-allowed");
    expect(text("a.md")).toBe("old\n");
  });
});

test("a person may take time to consent, and other processes write meanwhile", async () => {
  const asked: string[] = [];
  let answer = (_: boolean): void => {};
  const consent = (path: string, concern: string): Promise<boolean> => {
    asked.push(`${path}: ${concern}`);
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const bench = await openTestBench(files, { policy: { consent } });
  const waiting = commitEdits(bench.workspace, [quote("package.json", "{}", '{ "type": "module" }')]);
  while (asked.length === 0) await new Promise(setImmediate);
  const other = await bench.another({ patience: 0, policy: {} });
  expect(codeFrom(await other.commit([quote("a.md", "old", "new")]))).toBe("ok");
  answer(true);
  expect(codeFrom(await waiting)).toBe("ok");
  expect(asked).toEqual(["package.json: package manifest"]);
  expect(bench.text("package.json")).toBe('{ "type": "module" }\n');
});

test("reading a secret waits for consent", async () => {
  const secret = { ".env": "KEY=1\n" };
  const closed = await openTestBench(secret, { policy: { consent: async () => false } });
  expect(codeFrom(await closed.workspace.read(".env"))).toBe("needs-consent");
  const open = await openTestBench(secret, { policy: { consent: async () => true } });
  expect(value(await open.workspace.read(".env")).text).toBe("KEY=1\n");
});

test("undo waits for the policy, and needs no new consent", async () => {
  let writable = true;
  let questions = 0;
  const policy: PathPolicy = {
    writable: async () => writable,
    consent: async () => questions++ === 0,
  };
  const { workspace, text } = await openTestBench(files, { policy });
  const edit = [quote("package.json", "{}", '{ "type": "module" }')];
  value(await commitEdits(workspace, edit));
  writable = false;
  expect(codeFrom(await workspace.undo({ last: true }, { author: "me" }))).toBe("not-allowed");
  writable = true;
  expect(codeFrom(await workspace.undo({ last: true }, { author: "me" }))).toBe("ok");
  expect(text("package.json")).toBe("{}\n");
  expect(questions).toBe(1);
});

test("under the lock a path that was not asked about is refused", async () => {
  const asked = new AskedPolicy({ writable: async () => true });
  expect(codeFrom(await asked.gate("a.md", "write"))).toBe("ok");
  expect(asked.settled.writable?.("a.md")).toBe(true);
  expect(asked.settled.writable?.("b.md")).toBe(false);
});
