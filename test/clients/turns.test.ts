import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findClient } from "../../src/agent-hooks/clients/registry.ts";
import { ClientTrial, type RealClientName, reasonToSkip } from "./session.ts";

const names: readonly RealClientName[] = ["claude", "codex", "gemini", "copilot"];
const rename = "sed -i s/fetchUser/loadUser/ src/client.ts";
const done = { say: "Done." };

for (const name of names) {
  const why = reasonToSkip(name);
  if (why !== null) console.log(`skipped: ${name}: ${why}`);
  describe.skipIf(why !== null)(`real ${name}`, () => {
    const open = (): ClientTrial => {
      const trial = new ClientTrial(name);
      trial.suture("agent", "install", "--target", name, "--command", "suture");
      trial.waitLonger(findClient(name)!.file.project);
      return trial;
    };
    const isTold = (requests: readonly { readonly body: string }[]): boolean =>
      (requests.at(-1)?.body ?? "").includes("docs/guide.md:3 (certain");

    test("drift is reported, and fixed before the turn ends", () => {
      using trial = open();
      const requests = trial.run([
        trial.shell(rename),
        done,
        trial.shell(`${trial.program} fix --base HEAD`),
        done,
      ]);
      expect(requests).toHaveLength(4);
      expect(isTold(requests)).toBe(true);
      expect(trial.read("docs/guide.md")).toContain("Call `loadUser` with an id.");
    });

    test("a clean change is not blocked", () => {
      using trial = open();
      const requests = trial.run([
        trial.shell("sed -i s/return.id/return\\ id.trim\\(\\)/ src/client.ts"),
        done,
      ]);
      expect(trial.read("src/client.ts")).toContain("id.trim()");
      expect(requests).toHaveLength(2);
    });

    test("the same findings are not reported twice, also after a commit in the middle of a turn", () => {
      using trial = open();
      const commit = `${rename} && git commit -qam rename && echo more >> notes.txt && git add notes.txt && git commit -qm notes`;
      const requests = trial.run([trial.shell(commit), done, done, done]);
      expect(requests).toHaveLength(3);
      expect(isTold(requests)).toBe(true);
    });

    test("a second session in the tree does not get the findings of the first", () => {
      using trial = open();
      expect(trial.run([trial.shell(rename), done, done])).toHaveLength(3);
      expect(trial.run([trial.shell("echo x > notes.txt"), done])).toHaveLength(2);
    });

    test("a finding that is dismissed does not come back", () => {
      using trial = open();
      const id = `$(${trial.program} check --base HEAD --json | grep -o 'exists-[0-9a-f]*' | head -1)`;
      const dismiss = `${trial.program} dismiss ${id} --reason 'the old name is meant'`;
      expect(trial.run([trial.shell(`${rename}; ${dismiss}`), done])).toHaveLength(2);
    });

    test("a check that takes too long lets the turn end", () => {
      using trial = open();
      trial.replace(findClient(name)!.file.project, "--limit 300", "--limit 0");
      expect(trial.run([trial.shell(rename), done])).toHaveLength(2);
    });

    test("undo of the installation gives the file back to the byte", () => {
      using trial = new ClientTrial(name);
      const file = findClient(name)!.file.project;
      const text = '{\r\n\t"theirs": { "kept": [1, 2] }\r\n}';
      trial.write(file, text);
      trial.suture("agent", "install", "--target", name, "--command", "suture");
      expect(readFileSync(trial.path(file), "utf8")).toContain("suture agent stop");
      trial.suture("undo");
      expect(readFileSync(trial.path(file), "utf8")).toBe(text);
    });
  });
}
