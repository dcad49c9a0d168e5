import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readHookInput } from "../../src/agent-hooks/payload.ts";
import { Trial } from "./trial.ts";

const rename = (trial: Trial): void => trial.replace("src/client.ts", "fetchUser", "loadUser");
const told = { decision: "block", reason: expect.stringContaining("docs/guide.md:3 (certain, exists-") };

describe("the end of a turn", () => {
  test("a page that the session made false blocks it, with the place, the proof and one command", async () => {
    using trial = new Trial();
    await trial.start();
    const base = trial.git("rev-parse", "--short=12", "HEAD");
    rename(trial);
    const { reason } = await trial.stop();
    expect(reason).toBe(
      [
        "Your change made 1 passage of the documentation false:",
        expect.any(String),
        `To make these edits, run: suture fix --base ${base}`,
        "If a passage is right as it is: suture dismiss ID --reason TEXT",
      ]
        .map((line, i) => (i === 1 ? String(reason).split("\n")[1] : line))
        .join("\n"),
    );
    expect(String(reason).split("\n")[1]).toMatch(
      /^- docs\/guide\.md:3 \(certain, exists-\w+\): `fetchUser` is now `loadUser` \(src\/client\.ts:1\)\. Edit: .*→/,
    );
  });

  test("a change that leaves every page true does not block it", async () => {
    using trial = new Trial();
    await trial.start();
    trial.replace("src/client.ts", "return id;", "return id.trim();");
    expect(await trial.stop()).toEqual({});
  });

  test("the same set of findings is reported once; a new finding is reported again", async () => {
    using trial = new Trial();
    await trial.start();
    rename(trial);
    expect(await trial.stop()).toEqual(told);
    expect(await trial.stop({ stop_hook_active: true })).toEqual({});
    expect(await trial.stop()).toEqual({});
    trial.write("docs/other.md", "# Other\n\nCall `fetchUser` too.\n");
    trial.git("add", "docs/other.md");
    const { reason } = await trial.stop();
    expect(reason).toContain("docs/other.md:3");
    expect(reason).not.toContain("docs/guide.md");
  });

  test("the end of one turn is put off three times at most", async () => {
    using trial = new Trial();
    await trial.start();
    rename(trial);
    const answers = [];
    for (let i = 0; i < 5; i++) {
      trial.write(`docs/p${i}.md`, `# P${i}\n\nCall \`fetchUser\` ${i} times.\n`);
      trial.git("add", "docs");
      answers.push(await trial.stop({ stop_hook_active: i > 0 }));
    }
    expect(answers.map(({ decision }) => decision)).toEqual([
      "block",
      "block",
      "block",
      undefined,
      undefined,
    ]);
  });

  test("a commit in the middle of a turn hides nothing", async () => {
    using trial = new Trial();
    await trial.start();
    rename(trial);
    trial.commit("rename");
    trial.write("src/other.ts", "export const other = 1;\n");
    trial.commit("something else");
    expect(await trial.stop()).toEqual(told);
  });

  test("a new branch in the middle of a turn hides nothing", async () => {
    using trial = new Trial();
    await trial.start();
    trial.git("checkout", "-qb", "rename");
    rename(trial);
    trial.commit("rename");
    expect(await trial.stop()).toEqual(told);
  });

  test("older work of a branch that the session switches to is not reported", async () => {
    using trial = new Trial();
    trial.git("checkout", "-qb", "older");
    rename(trial);
    trial.commit("rename, before the session");
    trial.git("checkout", "-q", "main");
    await trial.start();
    trial.git("checkout", "-q", "older");
    trial.replace("src/client.ts", "return id;", "return id.trim();");
    expect(await trial.stop()).toEqual({});
  });

  test("a branch that the session left and came back to keeps its base", async () => {
    using trial = new Trial();
    await trial.start();
    rename(trial);
    trial.commit("rename");
    trial.git("checkout", "-qb", "elsewhere", "HEAD~1");
    trial.git("checkout", "-q", "main");
    expect(await trial.stop()).toEqual(told);
  });

  test("drift in a work tree that the session made is reported, with its path", async () => {
    using trial = new Trial();
    await trial.start();
    trial.git("worktree", "add", "-q", "../made", "-b", "made");
    trial.replace("../made/src/client.ts", "fetchUser", "loadUser");
    const { reason } = await trial.stop();
    expect(reason).toContain(`${trial.path("../made")}: docs/guide.md:3`);
  });

  test("a session that moves into a work tree it made is measured from where that began", async () => {
    using trial = new Trial();
    await trial.start();
    trial.git("worktree", "add", "-q", "../made", "-b", "made");
    trial.replace("../made/src/client.ts", "fetchUser", "loadUser");
    trial.git("-C", "../made", "commit", "-qam", "rename");
    expect(await trial.stop({ cwd: trial.path("../made") })).toEqual(told);
  });

  test("a sub-agent and the main agent each get the report once", async () => {
    using trial = new Trial();
    await trial.start();
    rename(trial);
    expect(await trial.stop({ agent_id: "a1", hook_event_name: "SubagentStop" })).toEqual(told);
    expect(await trial.stop({ agent_id: "a1", hook_event_name: "SubagentStop" })).toEqual({});
    expect(await trial.stop()).toEqual(told);
  });

  test("drift from before the session is not reported", async () => {
    using trial = new Trial();
    rename(trial);
    await trial.start();
    trial.write("src/other.ts", "export const other = 1;\n");
    expect(await trial.stop()).toEqual({});
  });

  test("a page that the session makes false is reported although its code was uncommitted at the start", async () => {
    using trial = new Trial();
    trial.write("src/late.ts", "export function openDoor() {\n  return 1;\n}\n");
    trial.write("docs/late.md", "# Late\n\nCall `openDoor`.\n");
    await trial.start();
    trial.replace("src/late.ts", "openDoor", "closeDoor");
    const { reason } = await trial.stop();
    expect(reason).toContain("docs/late.md:3");
  });

  test("a finding that was dismissed does not block", async () => {
    using trial = new Trial();
    await trial.start();
    rename(trial);
    const [id] = /exists-\w+/.exec(String((await trial.stop({ session_id: "other" })).reason)) ?? [];
    trial.write("suture.config.json", JSON.stringify({ dismissed: [{ id, reason: "kept" }] }));
    expect(await trial.stop()).toEqual({});
  });

  test("documents that cannot be judged never block and are named once", async () => {
    using trial = new Trial();
    await trial.start();
    trial.write("docs/guide.md", Buffer.from("# Guide\n\n\xff\xfe broken\n", "latin1"));
    expect(await trial.stop()).toEqual({ systemMessage: expect.stringContaining("docs/guide.md") });
    expect(await trial.stop()).toEqual({});
  });

  test("with --fix the certain edits are made, reported, and can be undone", async () => {
    using trial = new Trial();
    await trial.start();
    rename(trial);
    const answer = await trial.stop({}, { fix: true });
    expect(answer).toEqual({ systemMessage: expect.stringContaining("docs/guide.md:3") });
    expect(trial.read("docs/guide.md")).toContain("Call `loadUser` with an id.");
  });

  test("with --fix pages that instruct agents are left to a person", async () => {
    using trial = new Trial({
      "package.json": '{ "name": "shop" }\n',
      "src/client.ts": "export function fetchUser(id: string) {\n  return id;\n}\n",
      "AGENTS.md": "# Agents\n\nCall `fetchUser` with an id.\n",
    });
    await trial.start();
    rename(trial);
    expect(await trial.stop({}, { fix: true })).toMatchObject({ decision: "block" });
    expect(trial.read("AGENTS.md")).toContain("fetchUser");
  });

  test("a session that was never started is measured from the last commit", async () => {
    using trial = new Trial();
    rename(trial);
    expect(await trial.stop()).toEqual(told);
    trial.commit("rename");
    expect(await trial.stop({ session_id: "late" })).toEqual({});
  });

  test("a resumed session begins anew, a compacted one goes on", async () => {
    using trial = new Trial();
    await trial.start();
    rename(trial);
    await trial.start({ source: "compact" });
    expect(await trial.stop()).toEqual(told);
    using second = new Trial();
    await second.start();
    rename(second);
    await second.start({ source: "resume" });
    expect(await second.stop()).toEqual({});
  });

  test.each([
    ["no repository", { cwd: "/" }],
    ["a folder that is not there", { cwd: "/nowhere/at/all" }],
    ["a name with a null character", { cwd: "/tmp\0x" }],
    ["no folder that is text", { cwd: 7 }],
  ])("%s: the turn ends", async (_name, fields) => {
    using trial = new Trial();
    expect(await trial.stop(fields)).toEqual({});
  });

  test("a turn that the user stopped is left alone", async () => {
    using trial = new Trial();
    await trial.start({ conversation_id: "one" });
    rename(trial);
    expect(await trial.stop({ conversation_id: "one", status: "aborted" })).toEqual({});
  });
});

type Recorded = {
  readonly client: string;
  readonly start: Readonly<Record<string, unknown>>;
  readonly stop: Readonly<Record<string, unknown>>;
};

const recorded = readdirSync("scenarios/agent-hooks").map((name) => {
  const text = readFileSync(`scenarios/agent-hooks/${name}`, "utf8");
  return { name: name.replace(".json", ""), text, ...(JSON.parse(text) as Recorded) };
});

describe.each(recorded)("payloads of $name", ({ client, text }) => {
  test("every event is recognised as the client's own", () => {
    const { client: _client, version: _version, origin: _origin, ...events } = JSON.parse(text);
    for (const payload of Object.values(events)) {
      const input = readHookInput(new TextEncoder().encode(`\ufeff${JSON.stringify(payload)}`));
      expect(input.client.name).toBe(client);
      expect(input.call).toMatchObject({ session: expect.any(String), cwd: "/home/ada/shop" });
    }
  });

  test("drift is reported in the client's own format", async () => {
    using trial = new Trial();
    const { start, stop } = JSON.parse(text.replaceAll("/home/ada/shop", trial.root)) as Recorded;
    await trial.start({ session_id: undefined, turn_id: undefined, stop_hook_active: undefined, ...start });
    rename(trial);
    const answer = await trial.stop({ session_id: undefined, turn_id: undefined, ...stop });
    const key = client === "cursor" ? "followup_message" : "reason";
    const decision = client === "cursor" ? undefined : client === "gemini" ? "deny" : "block";
    expect(answer).toEqual({
      ...(decision ? { decision } : {}),
      [key]: expect.stringContaining("docs/guide.md:3"),
    });
  });
});
