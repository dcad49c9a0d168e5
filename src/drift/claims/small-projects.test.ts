import { expect, test } from "vitest";
import { driftBetween } from "../drift-between.ts";

type Row = readonly [
  title: string,
  /** Files with their texts before and after. */
  files: Readonly<Record<string, readonly [before: string, after: string | null]>>,
  page: string,
  text: string,
  /** The lines that are said, counted from 1. */
  lines: readonly number[],
];

const PHP = "<?php\nnamespace Acme;\n\nclass Mailer\n{\n";
const SEND = "    public function deliver(Letter $letter): bool\n    {\n        return true;\n    }\n";
const CLICK = 'import click\n\n\n@click.command()\n@click.option("--force")\n';
const RST = "Codecs\n======\n\n.. _custom-codecs:\n\nCustom codecs\n-------------\n\nWrite a class.\n";
const CI =
  "name: ci\non: push\njobs:\n  build:\n    runs-on: ubuntu-22.04\n    steps:\n      - run: make dist\n";
const SAMPLE = `\`\`\`yaml\n${CI}\`\`\`\n`;
const COLORS = ["lighten", "darken", "invert"].map((name) => `export function ${name}(color) {}\n`);
const TABLE = "| Function | |\n| --- | --- |\n| `lighten` | a |\n| `darken` | b |\n| `invert` | c |\n";

test.each<Row>([
  [
    "a method that is gone from a class",
    { "src/Mailer.php": [`${PHP}${SEND}}\n`, `${PHP}}\n`] },
    "README.md",
    "# Post\n\n`Mailer::deliver()` sends.\n",
    [3],
  ],
  [
    "no method that a trait of the class has now",
    {
      "src/Mailer.php": [`${PHP}${SEND}}\n`, `${PHP}    use Delivers;\n}\n`],
      "src/Delivers.php": ["", `<?php\nnamespace Acme;\n\ntrait Delivers\n{\n${SEND}}\n`],
    },
    "README.md",
    "# Post\n\n`Mailer::deliver()` sends.\n",
    [],
  ],
  [
    "a function that its package names, and that is deprecated now",
    {
      "go.mod": ["module example.net/inlet\n", "module example.net/inlet\n"],
      "inlet.go": [
        "package inlet\n\n// Dial connects.\nfunc Dial() {}\n",
        "package inlet\n\n// Dial connects.\n//\n// Deprecated: Use Open.\nfunc Dial() {}\n",
      ],
    },
    "README.md",
    "# Inlet\n\nCall `inlet.Dial` to connect.\n",
    [3],
  ],
  [
    "a feature that is on by default now",
    {
      "Cargo.toml": [
        '[package]\nname = "cairn"\n[features]\ndefault = ["json"]\njson = []\ntoml = []\n',
        '[package]\nname = "cairn"\n[features]\ndefault = ["json", "toml"]\njson = []\ntoml = []\n',
      ],
    },
    "README.md",
    "# Cairn\n\n- `json`: read JSON. On by default.\n- `toml`: read TOML. Off by default.\n",
    [4],
  ],
  [
    "the port of a service",
    {
      "compose.yaml": [
        'services:\n  web:\n    ports: ["8000:80"]\n  mail:\n    ports: ["8025:25"]\n',
        'services:\n  web:\n    ports: ["8000:80"]\n  mail:\n    ports: ["9025:25"]\n',
      ],
    },
    "README.md",
    "# Notes\n\nThe service `web` listens on port 8000.\n\nThe service `mail` listens on port 8025.\n",
    [5],
  ],
  [
    "the image that a container is built on",
    { Dockerfile: ["FROM python:3.11-slim\n", "FROM python:3.13-slim\n"] },
    "docs/docker.md",
    "# Docker\n\nThe image is built on `python:3.11-slim`.\n",
    [3],
  ],
  [
    "a command with a colon, alone in code",
    {
      "src/FlushCommand.php": [
        "<?php\n#[AsCommand(name: 'courier:flush')]\nclass FlushCommand extends Command\n{\n}\n",
        "<?php\n#[AsCommand(name: 'courier:purge')]\nclass FlushCommand extends Command\n{\n}\n",
      ],
    },
    "README.md",
    "# Courier\n\n`courier:flush` deletes old parcels.\n",
    [3],
  ],
  [
    "a help text that only got longer",
    {
      "sieve.py": [
        'parser.add_argument("--mesh", help="size of the holes")\n',
        'parser.add_argument("--mesh", help="size of the holes in mm")\n',
      ],
    },
    "README.md",
    "# Sieve\n\n```\n$ sieve --help\noptions:\n  --mesh MESH  size of the holes\n```\n",
    [6],
  ],
  [
    "a short message whose words are mostly the reader's",
    {
      "check.go": [
        'package main\n\nvar err = fmt.Errorf("error: %s: unknown field %q", path, field)\n',
        'package main\n\nvar err = fmt.Errorf("error: %s: field %q is not known", path, field)\n',
      ],
    },
    "README.md",
    '# Stile\n\n```console\n$ stile check gate.yml\nerror: gate.yml: unknown field "hinge"\n```\n',
    [5],
  ],
  [
    "no text of a file that is gone: another program may say it now",
    { "src/flags.js": ['export const help = "Prints the progress of the build in percent.";\n', null] },
    "README.md",
    "# Serve\n\n```\n  --progress  Prints the progress of the build in percent.\n```\n",
    [],
  ],
  [
    "a label that another page has no more",
    { "docs/codecs.rst": [RST, RST.replace("custom-codecs", "own-codecs")] },
    "docs/index.rst",
    "Moss\n====\n\nSee :ref:`custom-codecs`.\n",
    [4],
  ],
  [
    "no label that stays, of a page in which another one went",
    { "docs/codecs.rst": [`${RST}\n.. _more:\n\nMore\n----\n`, RST] },
    "docs/index.rst",
    "Moss\n====\n\nSee :ref:`custom-codecs`, and :ref:`more`.\n",
    [4],
  ],
  [
    "no label of a page that stays",
    {
      "docs/codecs.rst": [RST, RST],
      "docs/more.rst": [".. _custom:\n\nMore\n====\n", "More\n====\n"],
    },
    "docs/index.rst",
    "Moss\n====\n\nSee :ref:`custom-codecs`. The word is custom.\n",
    [],
  ],
  [
    "no label of another project",
    { "docs/codecs.rst": [RST, RST.replace("custom-codecs", "own-codecs")] },
    "docs/index.rst",
    "Moss\n====\n\nSee :ref:`python:tut-io`.\n",
    [],
  ],
  [
    "a row of a table that names all that a module exports",
    { "index.js": [COLORS.join("\n"), COLORS.slice(0, 2).join("\n")] },
    "README.md",
    `# Tint\n\n${TABLE}`,
    [7],
  ],
  [
    "a copy of a workflow below a link to it",
    { ".github/workflows/ci.yml": [CI, CI.replace("22.04", "24.04")] },
    "docs/building.md",
    `# Building\n\nIt is built by [ci.yml](../.github/workflows/ci.yml):\n\n${SAMPLE}`,
    [10],
  ],
  [
    "no workflow of the reader that has the same lines",
    { ".github/workflows/ci.yml": [CI, CI.replace("22.04", "24.04")] },
    "docs/building.md",
    `# Building\n\nA workflow of your own may be:\n\n${SAMPLE}`,
    [],
  ],
  [
    "no page about another version",
    { "cli.py": [`${CLICK}@click.option("--spdy")\n`, CLICK] },
    "documentation-v4.md",
    "# Documentation\n\nPass `--spdy`.\n",
    [],
  ],
  [
    "no `--no-` flag whose name the code still writes: a parser may make it",
    {
      "cli.py": [
        `${CLICK}@click.option("--parallel/--no-parallel")\ndef run():\n    pass\n`,
        `${CLICK}@common_options("parallel")\ndef run():\n    pass\n`,
      ],
    },
    "docs/usage.md",
    "# Usage\n\nPass `--no-parallel`.\n",
    [],
  ],
])("of a small project is said: %s", async (_title, files, page, text, lines) => {
  const side = (at: 0 | 1) =>
    new Map([
      ...Object.entries(files).flatMap(([path, texts]) => {
        const one = texts[at];
        return one === null || one === "" ? [] : [[path, one] as const];
      }),
      [page, text] as const,
    ]);
  const { findings } = await driftBetween(side(0), side(1));
  const said = findings.filter(({ tier, path }) => tier !== "possible" && path === page);
  expect(said.map(({ startLine }) => startLine)).toEqual(lines);
});

test("a heading of another level that stands where one went is not its heir", async () => {
  const page = ["docs/guide.md", "# Guide\n\nSee [unlicensed](cfg.md#the-unlicensed-field).\n"] as const;
  const before = "# Licenses\n\n### The unlicensed field\n\nWords.\n";
  const after = "# Licenses\n\n## SPDX identifiers\n\nOther words.\n";
  const { findings } = await driftBetween(
    new Map([["docs/cfg.md", before], page]),
    new Map([["docs/cfg.md", after], page]),
  );
  expect(findings.map(({ tier, edits }) => [tier, edits.length])).toEqual([["certain", 0]]);
});
