import { expect, test } from "vitest";
import { openDesk } from "./testing.ts";

const config = { "suture.config.json": '{ "backup": "sibling" }' };

test("with sibling backups configured, a backup is kept beside each edited file until the run succeeds", async () => {
  const desk = await openDesk({ ...config, "a.md": "one\n" }, { run: "r" });
  await desk.call("edit_file", { path: "a.md", old_content: "one", new_content: "two" });
  expect(desk.files()).toEqual(["a.md", "a.md.bak", "suture.config.json"]);
  expect(desk.text("a.md.bak")).toBe("one\n");
  await desk.context.workspace?.finishRun("r", { succeeded: true });
  expect(desk.files()).toEqual(["a.md", "suture.config.json"]);
});

test("an edit on its own is done at once and leaves none; nor does a project that asks for none, or cannot be read", async () => {
  for (const [files, options] of [
    [config, {}],
    [{}, { run: "r" }],
    [{ "suture.config.json": "{ not JSON" }, { run: "r" }],
  ] as const) {
    const desk = await openDesk({ ...files, "a.md": "one\n" }, options);
    await desk.call("edit_file", { path: "a.md", old_content: "one", new_content: "two" });
    expect(desk.files()).not.toContain("a.md.bak");
  }
});
