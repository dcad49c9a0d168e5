import { expect, test } from "vitest";
import { driftBetween } from "../../drift-between.ts";

const PAGE = "docs/api.md";

/** The names that the page gives and the project no longer has. */
async function goneNames(
  [before, after]: readonly [before: string, after: string],
  page: string,
  others: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const rest = [[PAGE, page], ...Object.entries(others)] as const;
  const { findings } = await driftBetween(
    new Map([["boat/url.py", before], ...rest]),
    new Map([["boat/url.py", after], ...rest]),
  );
  const said = findings.filter(({ kind, tier }) => kind === "exists" && tier !== "possible");
  return said.map(({ message }) => (message as { old: string }).old);
}

const body = (name: string): string =>
  `class URL:\n    def host(self):\n        return 1\n\n    def ${name}(self):\n        return 2\n`;
const parser = "import argparse\np = argparse.ArgumentParser()\n";
const start = (parameters: string): string =>
  `class URL:\n    def __init__(self, ${parameters}):\n        self.a = 1\n`;

test.each<[title: string, code: readonly [string, string], page: string, gone: readonly string[]]>([
  [
    "a member in the section of its class",
    [body("full_path"), body("path")],
    "# API\n\n## `URL`\n\n* `.full_path` - **str**\n",
    ["full_path"],
  ],
  [
    "nothing where the page says that it is gone",
    [body("full_path"), body("path")],
    "# API\n\nThere is no `URL.full_path` any more.\n",
    [],
  ],
  [
    "a method that the section of its class shows as a declaration",
    [body("anext"), body("back")],
    "# API\n\n## `URL`\n\n* `def .anext()` - **Response**\n",
    ["anext"],
  ],
  [
    "a parameter that a shown declaration has",
    [start("url, allow_relative=False"), start("url")],
    "# API\n\n## `URL`\n\n* `def __init__(url, allow_relative=False)`\n",
    ["allow_relative"],
  ],
  [
    "nothing where the module only lists its names",
    [body("full_path"), `__all__ = ("Other",)\n${body("full_path")}`],
    "# API\n\nSee :attr:`~boat.URL.full_path` and `URL.full_path`.\n",
    [],
  ],
  [
    "a plain name with the full path of its module",
    ["with_ = 1\nother = 2\n", "other = 2\n"],
    "# API\n\nThe import name is `boat.url.with_`, not `boat.sails.with_`.\n",
    ["with_"],
  ],
  [
    "a variable that a sample hands over",
    [start("**url_options"), start("**")],
    "# API\n\n```py\nURL(**url_options)\n```\n",
    [],
  ],
  [
    "a flag whose parser went",
    [`${parser}p.add_argument("--max-delay")\n`, "import sys\n"],
    "# API\n\nGive `--max-delay` a number.\n",
    ["--max-delay"],
  ],
  [
    "nothing where flags are made of names now",
    [`${parser}p.add_argument("-m", "--max-delay")\n`, 'FLAGS = [flag("max_delay"), flag(("m", "mode"))]\n'],
    "# API\n\nGive `--max-delay` or `-m` a number.\n",
    [],
  ],
  [
    "a word of a command of another program",
    [body("anext"), body("back")],
    "# API\n\n## `URL`\n\nRun `other anext now`.\n",
    [],
  ],
])("%s", async (_title, code, page, gone) => {
  const elsewhere = { "boat/server.py": "def serve(scope):\n    full_path = scope\n    return full_path\n" };
  expect(await goneNames(code, page, elsewhere)).toEqual(gone);
});

test("a file that takes in the type of a member declares nothing of it", async () => {
  const path = "lib/code-path.js";
  const user =
    'const CodePath = require("./code-path");\n\nfunction walk(state) {\n  const currentSegments = state.list;\n  return currentSegments;\n}\n\nmodule.exports = walk;\n';
  const type = (members: string): string => `class CodePath {\n${members}}\n\nmodule.exports = CodePath;\n`;
  const page = "# API\n\n## `CodePath`\n\n* `currentSegments`: the segments.\n";
  const rest = [
    ["lib/walk.js", user],
    ["docs/api.md", page],
  ] as const;
  const { findings } = await driftBetween(
    new Map([[path, type("  get currentSegments() { return []; }\n  get id() { return 1; }\n")], ...rest]),
    new Map([[path, type("  get id() { return 1; }\n")], ...rest]),
  );
  expect(findings.filter(({ tier }) => tier !== "possible")).toMatchObject([
    { kind: "exists", message: { old: "currentSegments" } },
  ]);
});

test("a task is gone with the file that declared it, whatever files of other folders may have", async () => {
  const rest = [
    ["docs/Makefile", "%: Makefile\n\tsphinx $@\n"],
    ["docs/bench.md", "# Bench\n\nRun `make bench`.\n"],
  ] as const;
  const { findings } = await driftBetween(
    new Map([["Makefile", "bench:\n\tpytest\n"], ...rest]),
    new Map([["Justfile", "bench:\n\tpytest\n"], ...rest]),
  );
  expect(findings).toMatchObject([{ kind: "exists", message: { what: "removed", old: "bench" } }]);
});

test("a method in a block of a form that is not read may be declared there", async () => {
  const body = (name: string): string => `Client ${name}(string key)\n    {\n        return client;\n    }\n`;
  const before = `public static class Clients\n{\n    public static ${body("AddHeader")}\n    public static ${body("AddCookie")}}\n`;
  const within = `    extension(Client client)\n    {\n        public ${body("AddHeader")}    }\n`;
  const after = `public static class Clients\n{\n${within}}\n`;
  const page = "# API\n\nCall `AddHeader` and `AddCookie`.\n";
  const { findings } = await driftBetween(
    new Map([
      ["src/Clients.cs", before],
      [PAGE, page],
    ]),
    new Map([
      ["src/Clients.cs", after],
      [PAGE, page],
    ]),
  );
  const said = findings.filter(({ kind, tier }) => kind === "exists" && tier !== "possible");
  expect(said.map(({ message }) => (message as { old: string }).old)).toEqual(["AddCookie"]);
});

test("a variable whose name the code puts together is not gone", async () => {
  const read = (...names: string[]): string => names.map((name) => `getenv('${name}');\n`).join("");
  const before = `<?php\n${read("BOAT_SAIL_SIZE", "BOAT_CREW")}`;
  const after = "<?php\n$keys = ['sail-size'];\nforeach ($keys as $key) getenv('BOAT_' . upper($key));\n";
  const page = "# Settings\n\n- `BOAT_SAIL_SIZE`\n\nText.\n\n- `BOAT_CREW`\n";
  const { findings } = await driftBetween(
    new Map([
      ["src/Config.php", before],
      [PAGE, page],
    ]),
    new Map([
      ["src/Config.php", after],
      [PAGE, page],
    ]),
  );
  const said = findings.filter(({ kind, tier }) => kind === "exists" && tier !== "possible");
  expect(said.map(({ message }) => (message as { old: string }).old)).toEqual(["BOAT_CREW"]);
});
