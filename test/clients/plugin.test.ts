import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Order } from "./run-inside.ts";
import { ClientTrial, type RealClientName, reasonToSkip } from "./session.ts";

type Loading = Partial<Pick<Order, "words" | "prepare">>;

const folder = resolve("plugin/with-hooks");

/** How each client loads the plugin folder of the package. */
const loadings: Readonly<Record<"claude" | "codex" | "gemini" | "copilot", Loading>> = {
  claude: { words: ["--plugin-dir", folder] },
  codex: {
    prepare: [
      ["plugin", "marketplace", "add", resolve(".")],
      ["plugin", "add", "suture@suture"],
    ],
  },
  gemini: { prepare: [["extensions", "install", resolve("plugin/gemini"), "--consent"]] },
  copilot: { words: ["--plugin-dir", folder] },
};

const names = Object.keys(loadings) as RealClientName[];
const rename = "sed -i s/fetchUser/loadUser/ src/client.ts";
const done = { say: "Done." };

for (const name of names) {
  const why = reasonToSkip(name);
  if (why !== null) console.log(`skipped: ${name}: ${why}`);
  describe.skipIf(why !== null)(`the plugin in real ${name}`, () => {
    test("its hook reports drift, and the model is offered its skills", () => {
      using trial = new ClientTrial(name);
      const requests = trial.run([trial.shell(rename), done, done], loadings[name as keyof typeof loadings]);
      expect(requests).toHaveLength(3);
      expect(requests.at(-1)?.body).toContain("docs/guide.md:3 (certain");
      expect(requests.at(-1)?.body).toContain("keep-docs-true");
    });
  });
}
