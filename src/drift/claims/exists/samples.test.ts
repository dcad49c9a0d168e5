import { expect, test } from "vitest";
import { driftBetween } from "../../drift-between.ts";

type Row = readonly [
  title: string,
  files: Readonly<Record<string, string>>,
  change: readonly [path: string, old: string, now: string],
  page: string,
  stale: readonly string[],
];

const cargo = { "Cargo.toml": '[package]\nname = "rook"\nversion = "1.0.0"\n' };
const clap = `#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}
#[derive(Subcommand)]
enum Command {
    Inspect { path: String },
    Play { from: String },
}
`;
const gate = "pub struct Gate;\nimpl Gate {\n    pub fn at(depth: u32) -> Self {\n        Gate\n    }\n}\n";
const flags =
  'package main\n\nimport "flag"\n\nfunc main() {\n\tdepth := flag.Int("depth", 3, "")\n\tquiet := flag.Bool("quiet", false, "")\n}\n';
const schema =
  '{\n  "type": "object",\n  "additionalProperties": false,\n  "properties": {\n    "input": { "type": "string" },\n    "minify": { "type": "boolean" }\n  }\n}\n';
const fence = (language: string, code: string): string => `# Rook\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;

const rows: readonly Row[] = [
  [
    "a subcommand that a program makes of a variant",
    { ...cargo, "src/main.rs": clap },
    ["src/main.rs", "Inspect", "Audit"],
    fence("console", "$ rook inspect board.txt"),
    ["$ rook inspect board.txt"],
  ],
  [
    "a member of a type that has another name too",
    { ...cargo, "src/lib.rs": gate },
    ["src/lib.rs", gate, `pub type Gate = Sluice;\n${gate.replaceAll("Gate", "Sluice")}`],
    fence("rust", "use rook::Gate;\n\nGate::at(3);"),
    [],
  ],
  [
    "a flag of a Go program",
    { "go.mod": "module example.org/rook\n", "main.go": flags },
    ["main.go", 'Int("depth"', 'Int("levels"'],
    fence("sh", "rook -depth 5 board"),
    ["rook -depth 5 board"],
  ],
  [
    "a plain type with its whole path, and one of another package",
    { "rook/Cargo.toml": cargo["Cargo.toml"], "rook/src/value/mod.rs": "pub struct Wrap<T>(pub T);\n" },
    ["rook/src/value/mod.rs", "Wrap", "Held"],
    "# Rook\n\nThe board is used through `rook::value::Wrap`, not `other::value::Wrap`.\n",
    ["The board is used through `rook::value::Wrap`, not `other::value::Wrap`."],
  ],
  [
    "a class of PHP with its namespace",
    {
      "composer.json": '{ "name": "acme/rook", "autoload": { "psr-4": { "Acme\\\\Rook\\\\": "src/" } } }\n',
      "src/Events/PieceTaken.php":
        "<?php\n\nnamespace Acme\\Rook\\Events;\n\nclass PieceTaken\n{\n    public function __construct(public int $at)\n    {\n    }\n}\n",
    },
    ["src/Events/PieceTaken.php", "class PieceTaken", "class PieceTakenEvent"],
    "# Rook\n\n```\n\\Acme\\Rook\\Events\\PieceTaken::class\n```\n",
    ["\\Acme\\Rook\\Events\\PieceTaken::class"],
  ],
  [
    "variables that a sample of a shell sets",
    { "rook.sh": '_rook_folder="$HOME/.rook"\nrook_data_dir() {\n  echo x\n}\nexport ROOK_BOARD="$1"\n' },
    [
      "rook.sh",
      '_rook_folder="$HOME/.rook"\nrook_data_dir() {\n  echo x\n}\nexport ROOK_BOARD="$1"\n',
      "true\n",
    ],
    fence(
      "shell",
      'set -gx _rook_folder "$HOME/.rook"\necho $_rook_folder\nvar rook_data_dir = x\nuse $rook_data_dir\nexport ROOK_BOARD=8',
    ),
    ["export ROOK_BOARD=8"],
  ],
  [
    "a plain key of a sample whose keys one schema has",
    { "schema/rook.json": schema },
    ["schema/rook.json", '"minify"', '"compress"'],
    fence("json", '{\n  "input": "src",\n  "minify": true\n}'),
    ['"minify": true'],
  ],
  [
    "a plain key of a sample that has keys of others",
    { "schema/rook.json": schema },
    ["schema/rook.json", '"minify"', '"compress"'],
    fence("json", '{\n  "presets": ["x"],\n  "minify": true\n}'),
    [],
  ],
];

test.each(rows)("%s", async (_, files, [path, old, now], page, expected) => {
  expect(files[path]).toContain(old);
  const before = new Map([...Object.entries(files), ["README.md", page]]);
  const after = new Map([...before, [path, files[path]!.replace(old, now)]]);
  const { findings } = await driftBetween(before, after);
  const said = findings.filter(({ kind, tier }) => kind === "exists" && tier !== "possible");
  expect(said.map(({ startLine }) => page.split("\n")[startLine - 1]!.trim())).toEqual(expected);
});
