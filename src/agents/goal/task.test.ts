import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { parseAnswer } from "../model/structured.ts";
import { execute } from "./execute.ts";
import { checkTasks, planSchema } from "./task.ts";

const task = (id: string, mode: string, more = {}) => ({
  id,
  description: "d",
  mode: mode as "modify",
  targets: ["a.py"],
  dependsOn: [],
  ...more,
});

test("three writing tasks become three analyze tasks when the goal only asks for analysis", () => {
  const planned = { tasks: [task("one", "generate"), task("two", "generate"), task("three", "modify")] };
  const { tasks, notes } = checkTasks(planned, "Analyze a.py and suggest 3 code improvements");
  expect(tasks.map(({ mode }) => mode)).toEqual(["analyze", "analyze", "analyze"]);
  expect(notes).toHaveLength(3);
});

test("a mode given by the user is the mode of every task", () => {
  const { tasks } = checkTasks(
    { tasks: [task("a", "modify"), task("b", "execute", { command: ["rm", "x"] })] },
    "Fix a.py",
    { mode: "analyze" },
  );
  expect(tasks).toMatchObject([{ mode: "analyze" }, { mode: "analyze" }]);
  expect(tasks[1]!.command).toBeUndefined();
});

test("names are unique, paths stay inside, and no task waits for itself or for a later one", () => {
  const { tasks } = checkTasks(
    {
      tasks: [
        task("a", "modify", {
          dependsOn: ["b", "a"],
          targets: ["x.ts", "../y.ts", "/etc/passwd", "C:\\z", "a/../../b"],
        }),
        task("b", "modify", { dependsOn: ["a", "nowhere"] }),
        task("a", "modify"),
      ],
    },
    "Fix it",
  );
  expect(tasks).toMatchObject([
    { id: "a", dependsOn: [], targets: ["x.ts"] },
    { id: "b", dependsOn: ["a"] },
  ]);
});

describe("commands", () => {
  const allowed = [
    ["node", "-e", "console.log(1 + 1)"],
    ["node", "-e", "console.log(JSON.stringify(Object.keys(process.env)))"],
    ["node", "-e", "setTimeout(() => {}, 60000)"],
    ["node", "-e", "process.exit(3)"],
  ];
  const run = (command: string[], more = {}) => execute(command, { root: tmpdir(), allowed, ...more });

  test("run only in the very words the user allowed, and without a shell", async () => {
    expect(await run(["node", "-e", "console.log(1 + 1)"])).toEqual({ ok: true, output: "2" });
    for (const command of [
      [],
      ["node"],
      ["node", "-e", "console.log(2)"],
      ["sh", "-c", "id"],
      ["node", "-e", "console.log(1 + 1)", "; id"],
    ])
      expect(await run(command)).toMatchObject({
        ok: false,
        output: expect.stringContaining("not one of the allowed"),
      });
  });

  test("see no key of ours, end in time, and say how they ended", async () => {
    process.env.SUTURE_TEST_API_KEY = "hidden";
    expect((await run(allowed[1]!)).output).not.toContain("SUTURE_TEST_API_KEY");
    delete process.env.SUTURE_TEST_API_KEY;
    expect(await run(allowed[2]!, { timeoutMs: 100 })).toMatchObject({
      ok: false,
      output: expect.stringContaining("did not end in time"),
    });
    expect(await run(allowed[3]!)).toMatchObject({
      ok: false,
      output: expect.stringContaining("exit code 3"),
    });
  });
});

describe("a plan as small models write it", () => {
  const one = { id: "a", description: "d", mode: "modify", targets: ["a.py"], dependsOn: [] };
  test.each([
    ["null for what is absent", { tasks: [{ ...one, dependsOn: null, command: null }] }],
    ["the list alone", [one]],
    ["another case", { tasks: [{ ...one, mode: "MODIFY" }] }],
  ])("is read: %s", (_, plan) => {
    expect(parseAnswer(JSON.stringify(plan), planSchema)).toEqual({ ok: true, value: { tasks: [one] } });
  });

  test("the objection is about the answer, not about a part of it", () => {
    const plan = JSON.stringify({ tasks: [{ ...one, mode: "rewrite" }] });
    expect(parseAnswer(plan, planSchema)).toMatchObject({
      ok: false,
      why: expect.stringMatching(/^at tasks\.0\.mode: /),
    });
  });
});
