import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSurface } from "./read-surface.ts";
import type { Thing } from "./thing.ts";

/** `exported kind owner > name = value: type`, with what the row is about. */
async function list(path: string, text: string, kinds: readonly string[]): Promise<string[]> {
  const things = await readSurface(path, text);
  return things.filter(({ kind }) => kinds.includes(kind)).map(print);
}

function print({ id, exported, value, description, deprecated }: Thing): string {
  return [
    ...(exported === "yes" ? [] : [`(${exported})`]),
    id,
    ...(value === undefined ? [] : [`= ${value}`]),
    ...(description === undefined ? [] : [`— ${description}`]),
    ...(deprecated === undefined ? [] : [`deprecated: ${deprecated}`]),
  ].join(" ");
}

const SYMBOLS = ["symbol", "member", "enum-value", "parameter"];

test("a flag of clap whose help goes over lines is a flag", async () => {
  const text = `#[derive(Parser)]
pub struct Opts {
    /// Do not respect ignore files
    #[arg(
        long,
        short = 'I',
        long_help = "Show what would otherwise be \\
                     ignored by '.ignore' (any of them)."
    )]
    pub no_ignore: bool,
}
`;
  const things = await readSurface("src/cli.rs", text);
  expect(things.filter(({ kind }) => kind === "flag").map(({ name }) => name)).toEqual(["--no-ignore", "-I"]);
});

test.each([
  [
    "src/cli.js",
    `/**
 * program.option("-c, --cheese <type>", "add cheese");
 * process.env.CHEESE
 */
program.option("-p, --pepper", "add pepper");
`,
    ["flag -p — add pepper", "flag --pepper — add pepper"],
  ],
  [
    "src/cli.py",
    `"""
parser.add_argument("--cheese")
os.environ["CHEESE"]
"""
parser.add_argument("--pepper")
`,
    ["flag --pepper"],
  ],
  [
    "src/main.go",
    `/*
flag.String("cheese", "", "add cheese")
os.Getenv("CHEESE")
*/
var pepper = flag.Bool("pepper", false, "add pepper")
`,
    ["flag --pepper = false — add pepper"],
  ],
])("comments and docstrings of several lines offer nothing: %s", async (path, text, things) => {
  expect(await list(path, text, ["flag", "environment"])).toEqual(things);
});

describe("symbols", () => {
  test.each<[string, string, string, string[]]>([
    [
      "Python: names that a module forwards to others",
      "src/pkg/core.py",
      `def __getattr__(name):
    if name == "OldCommand":
        return _Command
    raise AttributeError(f"no {name}")
`,
      ["(unknown) symbol __getattr__", "symbol OldCommand"],
    ],
    [
      "TypeScript: exports, classes, unions, destructured parameters; no locals",
      "src/client.ts",
      `export class Client {
  constructor(readonly port = 80) {}
  /** Stops. */
  close(): void { const local = 1; function inner() {} }
  #secret = 1;
}
const hidden = 2;
export type Level = "low" | "high";
export function open({ retries = 3 }) { let count = 0; }`,
      [
        "symbol Client",
        "member Client > port = 80",
        "member Client > close — Stops.",
        "(no) member Client > #secret = 1",
        "(no) symbol hidden = 2",
        "symbol Level",
        "enum-value Level > low",
        "enum-value Level > high",
        "symbol open",
        "parameter open > retries = 3",
      ],
    ],
    [
      "JavaScript: CommonJS exports and an internal mark",
      "lib/index.js",
      `/** @internal */
exports.debug = function () {};
exports.start = function (port) {};
function helper() {}`,
      ["(no) symbol debug", "symbol start", "(no) symbol helper"],
    ],
    [
      "Python: underscores, __all__, docstrings",
      "pkg/_client.py",
      `__all__ = ["get"]
def get(url, timeout=5):
    """Fetch a page.

    More words.
    """
def other(): ...
`,
      ["symbol get — Fetch a page.", "(no) symbol other"],
    ],
    [
      "Python: a class takes the parameters of its constructor",
      "pkg/client.py",
      `class Client:
    def __init__(self, base_url, timeout=5):
        self.base_url = base_url
    def _hide(self): ...
`,
      ["symbol Client", "member Client > base_url", "(no) member Client > _hide"],
    ],
    [
      "Go: capitals; nothing of a program or an internal package",
      "pkg/run.go",
      "package run\n\n// Start starts.\nfunc Start(name string) error { return nil }\nfunc stop() {}\n",
      ["symbol Start — Start starts.", "(no) symbol stop"],
    ],
    ["Go: internal packages", "internal/run/run.go", "package run\nfunc Start() {}\n", ["(no) symbol Start"]],
    [
      "Rust: pub and variants",
      "src/lib.rs",
      "pub enum Mode { Fast, Slow }\npub(crate) fn hidden() {}\npub fn shown(depth: usize) -> usize { depth }\n",
      [
        "symbol Mode",
        "enum-value Mode > Fast",
        "enum-value Mode > Slow",
        "(no) symbol hidden",
        "symbol shown",
      ],
    ],
    [
      "Rust: names that a module offers from another one",
      "src/lib.rs",
      "mod inner {\n    /// Opens.\n    pub fn open() {}\n}\npub use inner::open;\npub use other::{close as shut, Gate};\n",
      [
        "(no) symbol inner",
        "(no) member inner > open — Opens.",
        "symbol open — Opens.",
        "symbol shut",
        "symbol Gate",
      ],
    ],
    [
      "Java: public only",
      "src/main/java/A.java",
      "public class A {\n  public void go(int speed) {}\n  private int gear;\n}\n",
      ["symbol A", "member A > go", "(no) member A > gear"],
    ],
    [
      "Kotlin: internal is not offered",
      "src/main/kotlin/A.kt",
      'public class Foo(val a: Int) {\n  private fun y() {}\n  fun z(b: String = "x"): Int = 1\n}\n',
      ["symbol Foo", "member Foo > a", "(no) member Foo > y", "member Foo > z"],
    ],
    [
      "C: headers are public, static functions are not",
      "lib/a.c",
      "static int f(void) { return 0; }\nint g(int x) { return 1; }\n",
      ["(no) symbol f", "symbol g"],
    ],
    [
      "Ruby: private methods",
      "lib/site.rb",
      "class Site\n  def read(path, deep = true); end\n  private\n  def reset; end\nend\n",
      ["symbol Site", "member Site > read", "(no) member Site > reset"],
    ],
  ])("%s", async (_, path, text, expected) => {
    expect(await list(path, text, SYMBOLS)).toEqual(expected);
  });

  test.each<[string, string, string, string[]]>([
    [
      "an interface",
      "a.ts",
      "interface Common { strict?: boolean }\nexport interface SlugOptions extends Common { lower?: boolean }",
      ["SlugOptions", "SlugOptions > lower", "SlugOptions > strict"],
    ],
    [
      "an intersection",
      "a.ts",
      "type Common = { strict?: boolean };\nexport type SlugOptions = Common & { lower?: boolean };",
      ["SlugOptions", "SlugOptions > lower", "SlugOptions > strict"],
    ],
    ["a class", "a.py", "class _Base:\n    def go(self): ...\nclass A(_Base): ...\n", ["A", "A > go"]],
    [
      "an embedded struct",
      "a.go",
      "package a\ntype common struct {\n\tPort int\n}\ntype Config struct {\n\tcommon\n}\n",
      ["Config", "Config > Port"],
    ],
    [
      "no constraint of a type parameter",
      "a.ts",
      "interface Common { strict?: boolean }\nexport interface Box<T extends Common> { held: T }",
      ["Box", "Box > held"],
    ],
  ])(
    "members of a base that is not offered belong to the type that is: %s",
    async (_, path, text, expected) => {
      const things = (await readSurface(path, text)).filter(({ exported }) => exported !== "no");
      expect(things.map(({ owner, name }) => [...owner, name].join(" > "))).toEqual(expected);
    },
  );

  test("the parameters of a constructor are the parameters of its class", async () => {
    const things = await readSurface("a.py", "class A:\n    def __init__(self, x, y=1): ...\n");
    expect(things[0]!.parameters).toEqual([{ name: "x" }, { name: "y", default: "1", optional: true }]);
  });

  test.each<[string, string, string, string]>([
    [
      "JSDoc",
      "a.ts",
      "/**\n * Old.\n * @deprecated Use `b` instead.\n */\nexport function a() {}\n",
      "Use `b` instead.",
    ],
    ["Go", "a.go", "package a\n\n// A is old.\n//\n// Deprecated: use B.\nfunc A() {}\n", "use B."],
    ["Rust", "src/a.rs", '#[deprecated(since = "1.0", note = "use b")]\npub fn a() {}\n', "use b"],
    [
      "Java",
      "A.java",
      "/**\n * @deprecated use {@link B}\n */\n@Deprecated public class A {}\n",
      "use {@link B}",
    ],
    [
      "Python",
      "a.py",
      'class A:\n    """Old.\n\n    .. deprecated:: 1.2\n       Use B.\n    """\n',
      "Use B.",
    ],
    ["C#", "A.cs", 'namespace N;\n[Obsolete("Use B")]\npublic class A { }\n', "Use B"],
  ])("a mark of deprecation is read: %s", async (_, path, text, mark) => {
    const marked = (await readSurface(path, text)).filter(({ deprecated }) => deprecated !== undefined);
    expect(marked.map(({ name, deprecated }) => [name.toUpperCase(), deprecated])).toEqual([["A", mark]]);
  });

  test("a mark belongs to the declaration below it only, and allowing deprecated calls is no mark", async () => {
    const text =
      "/** @deprecated gone soon */\nexport function old<\n  T,\n>() {}\nexport function kept() {}\n";
    const things = await readSurface("a.ts", text);
    expect(things.map(({ name, deprecated }) => [name, deprecated])).toEqual([
      ["old", "gone soon"],
      ["kept", undefined],
    ]);
    const rust = await readSurface("src/a.rs", "#[allow(deprecated)]\npub fn a() {}\n");
    expect(rust[0]!.deprecated).toBeUndefined();
  });
});

describe("flags and commands", () => {
  test.each<[string, string, string, string[]]>([
    [
      "commander and cac",
      "src/cli.ts",
      `program.command("build [dir]", "Builds it").option("-p, --port <number>", "the port", 80);
// program.option("--comment", "never");
program.addOption(new Option("-m, --mode <mode>", "the mode").choices(["a", "b"]).default("a"));`,
      [
        "flag build > -p = 80 — the port",
        "flag build > --port = 80 — the port",
        'flag -m = "a" — the mode',
        'flag --mode = "a" — the mode',
        "enum-value --mode > a",
        "enum-value --mode > b",
        "command build — Builds it",
      ],
    ],
    [
      "yargs",
      "src/cli.js",
      'yargs.option("force", { alias: "f", describe: "no questions", default: false }).options({ verbose: { type: "boolean" } });',
      ["flag --force = false — no questions", "flag -f = false — no questions", "flag --verbose"],
    ],
    [
      "a table of flags with names",
      "src/flags.js",
      'module.exports = [{ name: "mode", alias: "m", type: String, description: "the mode" }];',
      ["flag --mode — the mode", "flag -m — the mode"],
    ],
    [
      "a table of flags by key",
      "src/cli-config.ts",
      'export const cliOptions = { root: { description: "where", shorthand: "r" } };',
      ["flag --root — where", "flag -r — where"],
    ],
    [
      "argparse",
      "app/cli.py",
      'parser.add_argument("--dry-run", "-n", default=False, help="do " "nothing")\nsub.add_parser("serve", help="Serves")\n',
      ["flag --dry-run = False — do nothing", "flag -n = False — do nothing", "command serve — Serves"],
    ],
    [
      "click",
      "app/main.py",
      '@cli.command("serve")\n@click.option("--port/--no-port", default=80, help="The port.")\n@click.option("--mode", type=click.Choice(["a", "b"]))\ndef serve(port, mode):\n    """Serves."""\n',
      [
        "flag serve > --port = 80 — The port.",
        "flag serve > --no-port — The port.",
        "flag serve > --mode",
        "enum-value serve > --mode > a",
        "enum-value serve > --mode > b",
        "command serve",
      ],
    ],
    [
      "typer",
      "app/typed.py",
      'def main(first_name: str = typer.Option("me", help="Who"), count: Annotated[int, typer.Option("--count", "-c")] = 1): ...\n',
      ['flag --first-name = "me" — Who', "flag --count = 1", "flag -c = 1"],
    ],
    [
      "cobra",
      "cmd/build.go",
      `package cmd
func newBuild() {
	cmd := &cobra.Command{Use: "build [x]", Short: "Builds it"}
	cmd.Flags().StringVarP(&out, "output", "o", "dist", "where to write")
	cmd.Flags().BoolVar(&snap, "snapshot", false, "no release")
	_ = cmd.Flags().MarkDeprecated("snapshot", "use --nightly")
}`,
      [
        "command build — Builds it",
        'flag build > --output = "dist" — where to write',
        'flag build > -o = "dist" — where to write',
        "flag build > --snapshot = false — no release deprecated: use --nightly",
      ],
    ],
    [
      "urfave",
      "cmd/app.go",
      'package main\nvar f = &cli.StringFlag{Name: "port", Aliases: []string{"p"}, Value: "80", Usage: "the port"}\n',
      ['flag --port = "80" — the port', 'flag -p = "80" — the port'],
    ],
    [
      "clap, derived",
      "src/cli.rs",
      `#[derive(Parser)]
struct Opt {
    /// Search hidden files.
    #[arg(long, short = 'H')]
    hidden_files: bool,
    #[arg(long = "depth", default_value = "3", help = "how deep, at most")]
    max: usize,
}
#[derive(Subcommand)]
enum Command {
    /// Builds it.
    BuildAll { #[clap(short, long)] open: bool },
}`,
      [
        "flag --hidden-files — Search hidden files.",
        "flag -H — Search hidden files.",
        'flag --depth = "3" — how deep, at most',
        "command build-all — Builds it.",
        "flag build-all > --open",
        "flag build-all > -o",
      ],
    ],
    [
      "clap, built",
      "src/app.rs",
      `fn app() { Arg::new("color").long("color").short('c').help("When").default_value("auto"); }`,
      ['flag --color = "auto" — When', 'flag -c = "auto" — When'],
    ],
    [
      "OptionParser, mercenary and Thor",
      "lib/cli.rb",
      `opts.on("-v", "--[no-]verbose", "Be loud")
c.option "port", "-P", "--port [PORT]", "Port to listen on"
method_option :dry_run, type: :boolean, default: true, desc: "Nothing happens"
`,
      [
        "flag -v — Be loud",
        "flag --verbose — Be loud",
        "flag --no-verbose — Be loud",
        "flag -P — Port to listen on",
        "flag --port — Port to listen on",
        "flag --dry-run = true — Nothing happens",
      ],
    ],
    [
      "picocli",
      "Cli.java",
      'class Cli { @Option(names = {"-p", "--port"}, description = "The port", defaultValue = "80") int port; }',
      ['flag -p = "80" — The port', 'flag --port = "80" — The port'],
    ],
    [
      "clikt",
      "Cli.kt",
      'class Cli : CliktCommand() {\n  private val dryRun by option(help = "Nothing").flag()\n  private val port by option("--port").int().default(80)\n}\n',
      ["flag --dry-run — Nothing", "flag --port = 80"],
    ],
    [
      "tables of long options in C",
      "src/tool.c",
      `struct option t[] = { {"verbose", no_argument, 0, 'v'}, {"max-time", ARG_STRG, ' ', C_MAX} };`,
      ["flag --verbose", "flag -v", "flag --max-time"],
    ],
    [
      "autoconf",
      "configure.ac",
      "AC_ARG_WITH([tls], AS_HELP_STRING([--with-tls=PATH], [where it is]), x)\ndnl AC_ARG_WITH([old], x)\n",
      ["flag --with-tls — where it is", "flag --without-tls — where it is"],
    ],
    [
      "a shell case",
      "run.sh",
      "case $1 in\n  -h|--help) x;;\n  --fast=*) y;;\nesac\n",
      ["flag -h", "flag --help", "flag --fast"],
    ],
  ])("%s", async (_, path, text, expected) => {
    expect(
      (await list(path, text, ["flag", "command", "enum-value"])).filter((each) => !each.includes("(no)")),
    ).toEqual(expected);
  });
});

describe("environment variables", () => {
  test.each<[string, string, string, string[]]>([
    [
      "JavaScript",
      "a.ts",
      'const a = process.env.APP_A ?? "x", b = process.env["APP_B"], { APP_C } = process.env;\n// process.env.COMMENT\nconst s = "process.env.STRING";',
      ['environment APP_A = "x"', "environment APP_B", "environment APP_C"],
    ],
    [
      "Python",
      "a.py",
      'os.environ.get("APP_A", "x")\nos.environ["APP_B"]\nos.getenv("APP_C")\n',
      ['environment APP_A = "x"', "environment APP_B", "environment APP_C"],
    ],
    [
      "Go",
      "a.go",
      'package a\nconst name = "APP_B"\nfunc f() { os.Getenv("APP_A"); os.LookupEnv(name) }\n',
      ["environment APP_A", "environment APP_B"],
    ],
    [
      "Rust",
      "src/a.rs",
      'fn f() { std::env::var("APP_A"); option_env!("APP_B"); }\n',
      ["environment APP_A", "environment APP_B"],
    ],
    [
      "Ruby",
      "a.rb",
      'ENV["APP_A"]\nENV.fetch("APP_B", "x")\n',
      ["environment APP_A", 'environment APP_B = "x"'],
    ],
    ["Java", "A.java", 'class A { String a = System.getenv("APP_A"); }', ["environment APP_A"]],
    [
      "variables that many programs read",
      "a.py",
      'import os\na = os.environ.get("APP_A") or os.environ.get("NO_COLOR") or os.environ.get("https_proxy")\n',
      ["environment APP_A"],
    ],
    ["C", "a.c", 'int f(void) { getenv("APP_A"); return 0; }', ["environment APP_A"]],
    [
      "clap and click",
      "src/b.rs",
      '#[derive(Parser)]\nstruct O {\n  #[arg(long, env = "APP_A")]\n  a: u8,\n}\n',
      ["environment APP_A"],
    ],
    ["variables of the system are not the project's", "b.ts", "process.env.PATH;", []],
    [
      "a function of the file that is given the name, and the default",
      "a.go",
      'package a\nfunc get(name, fallback string) string {\n\tif v, ok := os.LookupEnv(name); ok {\n\t\treturn v\n\t}\n\treturn fallback\n}\n\nvar port = get("APP_A", ":80")\nvar other = m.get("APP_B", "x")\n',
      ['environment APP_A = ":80"'],
    ],
    [
      "a function that takes the default first, and one without a default",
      "a.ts",
      'const read = (fallback: string, name: string) => process.env[name] ?? fallback;\nfunction need(name: string) { return process.env[name]!; }\nexport const a = read("x", "APP_A"), b = need("APP_B");\n',
      ['environment APP_A = "x"', "environment APP_B"],
    ],
    [
      "a function whose other parameter is no default",
      "b.go",
      'package a\nfunc need(name string, secret bool) string {\n\tv := os.Getenv(name)\n\tif v == "" && !secret {\n\t\tpanic(name)\n\t}\n\treturn v\n}\n\nvar port = need("APP_A", false)\n',
      ["environment APP_A"],
    ],
    [
      "a function with a keyword for the default",
      "a.py",
      'def _flag(name, default="1", cast=int):\n    return cast(os.environ.get(name, default))\n\nA = _flag("APP_A", cast=bool)\nB = _flag("APP_B", "0")\nC = _flag("APP_C", default="2")\n',
      ['environment APP_A = "1"', 'environment APP_B = "0"', 'environment APP_C = "2"'],
    ],
  ])("%s", async (_, path, text, expected) => {
    expect(await list(path, text, ["environment"])).toEqual(expected);
  });
});

describe("settings", () => {
  test.each<[string, string, string, string[]]>([
    [
      "options types of TypeScript",
      "a.ts",
      'export interface BuildOptions {\n  /** Where. */\n  dir?: string;\n  mode: "a" | "b";\n}',
      [
        "setting BuildOptions > dir — Where.",
        "setting BuildOptions > mode",
        "enum-value BuildOptions > mode > a",
        "enum-value BuildOptions > mode > b",
      ],
    ],
    [
      "a table of defaults",
      "a.js",
      "const defaults = { retries: 3, deep: { on: true } };\nmodule.exports = { defaults };",
      ["setting defaults > retries = 3", "setting defaults > deep", "setting defaults > deep > on = true"],
    ],
    [
      "schemas in code",
      "b.ts",
      'const config = z.object({ port: z.number().default(80).describe("The port") });',
      ["(unknown) setting config > port = 80 — The port"],
    ],
    [
      "tags of Go",
      "a.go",
      'package a\ntype Config struct {\n\t// Where it goes.\n\tDist string `yaml:"dist,omitempty" env:"APP_DIST"`\n}\n',
      ["setting Config > dist — Where it goes."],
    ],
    [
      "serde with defaults",
      "src/a.rs",
      '#[derive(Deserialize)]\n#[serde(rename_all = "kebab-case")]\npub struct Editor {\n    /// Lines.\n    pub scroll_lines: usize,\n}\nimpl Default for Editor {\n    fn default() -> Self {\n        Self { scroll_lines: 3 }\n    }\n}\n',
      ["setting Editor > scroll-lines = 3 — Lines."],
    ],
    [
      "a module of default settings",
      "app/default_settings.py",
      "DELAY = 0\n_hidden = 1\n",
      ["setting DELAY = 0"],
    ],
    [
      "JSON Schema",
      "schema.json",
      '{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"port":{"default":80,"description":"The port"},"mode":{"enum":["a"]}}}',
      ["setting port = 80 — The port", "setting mode", "enum-value mode > a"],
    ],
    [
      "CMake",
      "CMakeLists.txt",
      'option(BUILD_X "builds it" ON)\n# option(NO "x" ON)\n',
      ["setting cmake > BUILD_X = ON — builds it"],
    ],
    [
      "Spring",
      "A.java",
      'class A { @Value("$' + '{server.port:8080}") int port; }',
      ["setting server.port = 8080"],
    ],
    [
      "a default where an option is read",
      "c.js",
      "function f(options) { const n = options.retries ?? 3; return Object.assign({ timeout: 10, make: x() }, options); }",
      ["(unknown) setting retries = 3", "(unknown) setting timeout = 10"],
    ],
    [
      "a default that fills an empty field of Go",
      "b.go",
      'package a\nfunc f() {\n\tif cfg.Archive.NameTemplate == "" {\n\t\tcfg.Archive.NameTemplate = "x"\n\t}\n}\n',
      ['(unknown) setting Archive > name_template = "x"'],
    ],
    [
      "keys that are looked up by name",
      "lib/site.rb",
      'title = config["title"]\n# config["comment"]\n',
      ["(unknown) setting title"],
    ],
    [
      "dotted keys with defaults",
      "c.go",
      'package a\nfunc f() { viper.SetDefault("server.port", 80) }\n',
      ["(unknown) setting server.port = 80"],
    ],
    [
      "options read by plain JavaScript",
      "d.js",
      "module.exports = function (options) { return options.cache && options.toString() };",
      ["(unknown) setting cache"],
    ],
    [
      "a schema of pairs",
      "b.py",
      'SCHEMA = (\n    ("site_name", options.Type(str, default="x")),\n)\n',
      ['setting site_name = "x"'],
    ],
    [
      "words that a type is parsed from",
      "src/b.rs",
      'impl FromStr for Shape {\n    fn from_str(s: &str) -> Result<Self, ()> {\n        match s { "line" | "l" => Ok(Self::Line), _ => Err(()) }\n    }\n}\n',
      ["enum-value Shape > line", "enum-value Shape > l"],
    ],
  ])("%s", async (_, path, text, expected) => {
    expect(await list(path, text, ["setting", "enum-value"])).toEqual(expected);
  });
});

describe("manifests, routes and errors", () => {
  test.each<[string, string, string, string[]]>([
    [
      "package.json",
      "package.json",
      '{"name":"@a/b","version":"1.2.3","bin":{"bb":"x.js"},"scripts":{"build":"tsc"},"exports":{"./sub":"./b.js"},"engines":{"node":">=18"},"dependencies":{"left":"1"}}',
      [
        "package @a/b",
        "version @a/b > version = 1.2.3",
        "version engines > node = >=18",
        "command bb = x.js",
        "script build = tsc",
        "package @a/b/sub = ./b.js",
      ],
    ],
    ["a noxfile", "noxfile.py", "@nox.session\ndef lint(session): ...\n", ["script lint"]],
    ["a Makefile", "Makefile", "build: deps\n\tgo build\n", ["script build = deps"]],
    [
      "workflows of CI offer nothing",
      ".github/workflows/ci.yml",
      "on: push\njobs:\n  x:\n    runs-on: ubuntu-latest\n",
      [],
    ],
    ["routes of a server", "src/app.ts", 'app.get("/users/:id", show);', ["route GET > /users/:id"]],
    ["routes by decorator", "app.py", '@app.post("/users")\ndef f(): ...\n', ["route POST > /users"]],
    [
      "OpenAPI",
      "api.yaml",
      "openapi: 3.0.0\npaths:\n  /users:\n    get:\n      summary: Lists\n",
      ["route GET > /users — Lists"],
    ],
    [
      "error codes",
      "errors.js",
      'const A = createError("APP_ERR_BAD", "Bad thing", 400);',
      ["error APP_ERR_BAD = 400 — Bad thing"],
    ],
    [
      "messages of errors",
      "lib.py",
      'def f():\n    raise ValueError("the name is empty")\n',
      ["message the name is empty"],
    ],
  ])("%s", async (_, path, text, expected) => {
    const kinds = ["package", "version", "command", "script", "route", "error", "message", "environment"];
    expect(await list(path, text, kinds)).toEqual(expected);
  });
});

test.each([
  "test/a.ts",
  "src/a.test.ts",
  "pkg/testdata/a.go",
  "examples/a.py",
  "vendor/x/a.go",
  "a_test.go",
  "dist/a.js",
])("%s offers nothing", async (path) => {
  expect(await readSurface(path, "package a\nexport function Start() {}\ndef start(): ...\n")).toEqual([]);
});

test("generated and minified files offer nothing", async () => {
  expect(
    await readSurface("a.go", "// Code generated by x. DO NOT EDIT.\npackage a\nfunc Start() {}\n"),
  ).toEqual([]);
  expect(await readSurface("a.js", `export const a=1;${"a(1);".repeat(4000)}`)).toEqual([]);
});

test("reading never throws, whatever the text, and the region of a thing lies in it", async () => {
  const names = [
    "a.ts",
    "a.py",
    "a.go",
    "src/a.rs",
    "a.rb",
    "A.java",
    "A.kt",
    "a.c",
    "a.sh",
    "configure.ac",
    "CMakeLists.txt",
    "package.json",
    "schema.json",
    "api.yaml",
    "a.php",
  ];
  const pieces = [
    '.option("',
    "process.env[",
    '("-p, --port"',
    "{",
    "}",
    "(",
    ")",
    "[",
    "/*",
    "*/",
    "'",
    '"',
    "`",
    "${",
    "\n",
    "export ",
    "#[arg(long",
    ")]",
    '"properties"',
    ":",
    "os.getenv(",
    "@deprecated",
    "def a(",
    "AC_ARG_WITH(",
    ",",
    "\\",
    'r#"',
    "x",
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 40 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), text, async (path, source) => {
      for (const { region, line } of await readSurface(path, source)) {
        expect(region.start).toBeLessThanOrEqual(region.end);
        expect(region.end).toBeLessThanOrEqual(source.length);
        expect(line).toBeGreaterThan(0);
      }
    }),
    { numRuns: 60 },
  );
});
