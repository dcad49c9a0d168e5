import { afterAll, beforeAll, expect, test } from "vitest";
import { openProject, type Project } from "./project.ts";

const kite = (name: string): string =>
  `/**\n * Lets a kite rise.\n *\n * @param line - how much line it gets\n */\nexport function rise(${name}: number): number {\n  return ${name} * 0.8;\n}\n`;

let project: Project;
beforeAll(async () => {
  project = await openProject();
  project.commit({ "src/kite.ts": kite("line") });
  project.git("push", "-q", "origin", "main");
  project.git("checkout", "-q", "-b", "topic");
  project.commit({ "src/kite.ts": kite("length") });
  project.pull(7, "topic");
});
afterAll(() => project.close());

test("the commit repairs the doc comment of a changed source, and nothing of its code", async () => {
  const result = await project.ci(["--mode", "commit", "--likely"], project.pullEvent(7));
  expect(result).toMatchObject({ code: 0, outputs: { open: "0", fixed: "1" } });
  const now = project.host.git(["show", "topic:src/kite.ts"]);
  expect(now.trim()).toBe(kite("length").replace("@param line", "@param length").trim());
});
