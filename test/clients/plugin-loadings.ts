import { resolve } from "node:path";
import type { Order } from "./run-inside.ts";

export type Loading = Partial<Pick<Order, "words" | "prepare">>;

const folder = resolve("plugin/with-hooks");

/** How each client loads the plugin folder of the package. */
export const pluginLoadings: Readonly<Record<"claude" | "codex" | "gemini" | "copilot", Loading>> = {
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
