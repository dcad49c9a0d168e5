/** Numbers that look random and follow from a seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** A small project in which names, defaults, flags, tables, links and samples can drift. */
export const project: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "shop", "scripts": { "build": "tsc", "serve": "node serve.js" } }\n',
  "src/client.ts":
    "export function fetchUser(id: string, limit = 30): string {\n  return id;\n}\n\nexport function listOrders(user: string): string[] {\n  return [user];\n}\n",
  "src/options.ts":
    'export const timeoutSeconds = 20;\nexport const levels = ["low", "middle", "high"] as const;\nexport const flags = ["--dry-run", "--verbose"];\n',
  "src/store.py":
    'DEFAULT_SIZE = 100\n\n\ndef open_store(path, size=DEFAULT_SIZE):\n    """Open a store."""\n    return path\n',
  "docs/guide.md":
    "# Guide\n\nCall `fetchUser(id)` with a `limit` of 30.\n\n```ts\nfetchUser('7', 30);\nlistOrders('7');\n```\n\nSee [the client](../src/client.ts).\n",
  "docs/options.md":
    "# Options\n\n| Name | Value |\n| --- | --- |\n| `timeoutSeconds` | `20` |\n| `levels` | `low`, `middle`, `high` |\n\nRun with `--dry-run` or `--verbose`.\n",
  "docs/store.rst": "Store\n=====\n\nUse ``open_store`` with a size of ``100``.\n",
  "README.md":
    "# Shop\n\nRun `npm run build`, then `npm run serve`. `listOrders` gives the orders of a user.\n",
};

const words = [
  "fetchUser",
  "loadUser",
  "listOrders",
  "allOrders",
  "timeoutSeconds",
  "open_store",
  "30",
  "45",
  "20",
  "100",
  "200",
  "high",
  "top",
  "--dry-run",
  "--preview",
  "serve",
  "start",
];

/** A text with one edit that a person could make: a word for another, a letter, a line more or less. */
export function editText(text: string, random: (below: number) => number): string {
  // Half a character cannot be saved.
  return editUnits(text, random).toWellFormed();
}

function editUnits(text: string, random: (below: number) => number): string {
  const at = random(text.length + 1);
  switch (random(6)) {
    case 0:
    case 1:
    case 2: {
      const old = words[random(words.length)]!;
      const fresh = words[random(words.length)]!;
      return random(2) ? text.replace(old, () => fresh) : text.replaceAll(old, () => fresh);
    }
    case 3:
      return text.slice(0, at) + "xé🙂 `\n".slice(random(6), 6) + text.slice(at);
    case 4:
      return text.slice(0, at) + text.slice(at + random(12));
    default: {
      const lines = text.split("\n");
      const [line = ""] = lines.splice(random(lines.length), 1);
      if (random(2)) lines.splice(random(lines.length + 1), 0, line);
      return lines.join("\n");
    }
  }
}
