import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { fetchedPlugin, neighbours, realClients } from "./real-clients.ts";
import type { Step } from "./scripted-model.ts";
import { ClientTrial, reasonToSkip } from "./session.ts";

const done = { say: "Done." };

/** Clients whose edit tool an extension replaces: the file, where it goes, and a call of the tool. */
const replacements = [
  {
    name: "opencode",
    from: "plugin/opencode/tools/edit.ts",
    to: ".opencode/tools/edit.ts",
    edit: (filePath: string, oldString: string, newString: string): Step => ({
      tool: "edit",
      input: { filePath, oldString, newString },
    }),
  },
  {
    name: "pi",
    from: "plugin/pi/suture.ts",
    to: ".pi/extensions/suture.ts",
    edit: (path: string, oldText: string, newText: string): Step => ({
      tool: "edit",
      input: { path, edits: [{ oldText, newText }] },
    }),
  },
] as const;

for (const { name, from, to, edit } of replacements) {
  const why = reasonToSkip(name);
  if (why !== null) console.log(`skipped: ${name}: ${why}`);
  describe.skipIf(why !== null)(`the edit tool of real ${name}`, () => {
    test("is replaced: an edit is exact and in the journal, a wrong quotation is refused, undo restores", () => {
      using trial = new ClientTrial(name);
      for (const path of [to, ".opencode/tools/x"]) mkdirSync(dirname(trial.path(path)), { recursive: true });
      cpSync(resolve(from), trial.path(to));
      // As the client would have fetched them.
      trial.write(".gitignore", "node_modules\n");
      for (const [path, text] of Object.entries(fetchedPlugin(".opencode"))) trial.write(path, text);
      symlinkSync(neighbours(realClients[name]), trial.path(".opencode/node_modules"));
      trial.write("a.txt", "a\r\nbeta\nc\r\n");
      trial.commit("a");
      const file = trial.path("a.txt");
      const requests = trial.run([edit(file, "beta", "BETA"), edit(file, "nowhere", "x"), done], {
        env: { SUTURE_COMMAND: trial.program },
      });
      expect(requests).toHaveLength(3);
      expect(trial.bytes("a.txt").toString()).toBe("a\r\nBETA\nc\r\n");
      expect(requests.at(-1)?.body).toMatch(/not (in|found)|does not/i);
      expect(trial.suture("log")).toContain("a.txt");
      trial.suture("undo");
      expect(trial.bytes("a.txt").toString()).toBe("a\r\nbeta\nc\r\n");
    });
  });
}
