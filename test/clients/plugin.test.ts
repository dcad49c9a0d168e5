import { describe, expect, test } from "vitest";
import { pluginLoadings } from "./plugin-loadings.ts";
import { ClientTrial, reasonToSkip } from "./session.ts";

const names = Object.keys(pluginLoadings) as (keyof typeof pluginLoadings)[];
const rename = "sed -i s/fetchUser/loadUser/ src/client.ts";
const done = { say: "Done." };

for (const name of names) {
  const why = reasonToSkip(name);
  if (why !== null) console.log(`skipped: ${name}: ${why}`);
  describe.skipIf(why !== null)(`the plugin in real ${name}`, () => {
    test("its hook reports drift, and the model is offered its skills", () => {
      using trial = new ClientTrial(name);
      const requests = trial.run([trial.shell(rename), done, done], pluginLoadings[name]);
      expect(requests).toHaveLength(3);
      expect(requests.at(-1)?.body).toContain("docs/guide.md:3 (certain");
      expect(requests.at(-1)?.body).toContain("keep-docs-true");
    });
  });
}
