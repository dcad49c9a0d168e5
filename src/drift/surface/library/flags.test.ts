import { expect, test } from "vitest";
import { readSurface } from "../read-surface.ts";
import type { Thing } from "../thing.ts";

/** `program: owner > --flag = value {choices} least..most` */
function print({ owner, name, value, program, choices, limits }: Thing): string {
  return [
    ...(program === undefined ? [] : [`${program}:`]),
    [...owner, name].join(" > "),
    ...(value === undefined ? [] : [`= ${value}`]),
    ...(choices === undefined ? [] : [`{${choices.join("|")}}`]),
    ...(limits === undefined ? [] : [`${limits.least ?? ""}..${limits.most ?? ""}`]),
  ].join(" ");
}

test.each<[string, string, string, string[]]>([
  [
    "argparse: the parser that a variable holds where the flag is added",
    "app/cli.py",
    `PORT = 8080
def main():
    parser = argparse.ArgumentParser(prog="thumbs")
    parser.add_argument("--verbose", action="store_true")
    sub = parser.add_subparsers()
    p = sub.add_parser("serve")
    group = p.add_argument_group("net")
    group.add_argument("--port", type=int, default=PORT, choices=[80, 8080])
    p = sub.add_parser("build")
    p.add_argument("--port", default=9)
def other(p):
    p.add_argument("--loose")
`,
    [
      "thumbs: --verbose",
      "thumbs: serve > --port = 8080 {80|8080}",
      "thumbs: build > --port = 9",
      "thumbs: --loose",
    ],
  ],
  [
    "click: the decorated function, ranges and choices",
    "app/main.py",
    `@cli.command()
@click.option("--count", default=1, type=click.IntRange(1, 10))
@click.option("--mode", type=click.Choice(["a", "b"]), default="a", envvar="APP_MODE")
def run_it(count, mode): ...
`,
    ["run-it > --count = 1 1..10", 'run-it > --mode = "a" {a|b}', 'APP_MODE = "a"'],
  ],
  [
    "typer: every parameter with a default, of one of several commands",
    "app/typed.py",
    `app = typer.Typer()
@app.command()
def serve(port: int = typer.Option(8080, min=1, max=9000), level: Annotated[str, typer.Option()] = "info", dry_run: bool = False): ...
@app.command("other")
def other_cmd(port: int = typer.Option(9)): ...
`,
    [
      "serve > --port = 8080 1..9000",
      'serve > --level = "info"',
      "other > --port = 9",
      "serve > --dry-run = False",
      "serve > --no-dry-run",
    ],
  ],
  [
    "commander: chains and variables",
    "bin/press.js",
    `const DEFAULT_ENV = "prod";
program.option("--global <n>", "g", "1");
program.command("build [dir]").description("Builds").option("--port <n>", "the port", parseInt, 80);
program.command("serve").option("--port <n>", "the port", "90");
const sub = program.command("deploy");
sub.option("--env <e>", "where", DEFAULT_ENV);`,
    [
      'press: --global = "1"',
      "press: build > --port = 80",
      'press: serve > --port = "90"',
      'press: deploy > --env = "prod"',
    ],
  ],
  [
    "cac",
    "src/cli.ts",
    'const cli = cac("tool");\ncli.option("--config <file>", "cfg");\ncli.command("build", "builds").option("--outDir <dir>", "out", { default: "dist" });',
    ["tool: --config", 'tool: build > --outDir = "dist"'],
  ],
  [
    "yargs: the builder of a command, and what follows it",
    "src/cli.ts",
    'yargs.scriptName("tool").command("serve", "start", (y) => y.option("port", { default: 80 })).option("verbose", { default: false });',
    ["tool: serve > --port = 80", "tool: --verbose = false"],
  ],
  [
    "oclif: the path of the class",
    "src/commands/app/deploy.ts",
    'export default class Deploy extends Command {\n  static flags = { env: Flags.string({ default: "prod", options: ["prod", "dev"] }) };\n}',
    ['app > deploy > --env = "prod" {prod|dev}'],
  ],
  [
    "optionator and citty",
    "src/options.js",
    'module.exports = optionator({ options: [{ option: "max-warnings", type: "Int", default: "-1", description: "How many" }] });\ndefineCommand({ meta: { name: "nit" }, args: { port: { type: "string", default: "3000" } } });',
    ['nit: --port = "3000"', 'nit: --max-warnings = "-1"'],
  ],
  [
    "clap, derived: constants, ranges and variants",
    "src/main.rs",
    `const DEPTH: usize = 3;
#[derive(Parser)]
#[command(name = "deep")]
struct Cli {
    #[arg(long, default_value_t = DEPTH, value_parser = clap::value_parser!(u16).range(1..=100))]
    depth: usize,
    #[arg(long, value_enum, default_value_t = Mode::VeryFast, env = "DEEP_MODE")]
    mode: Mode,
}
#[derive(ValueEnum, Clone)]
enum Mode { VeryFast, Slow }`,
    ["deep: --depth = 3 1..100", "deep: --mode = very-fast {very-fast|slow}", "DEEP_MODE = very-fast"],
  ],
  [
    "clap, built: the program and its commands",
    "src/app.rs",
    `fn cli() -> Command {
    Command::new("got").subcommand(Command::new("clone").arg(Arg::new("depth").long("depth").default_value("1")))
        .arg(arg!(--color <WHEN> "when").default_value("auto"))
}`,
    ['got: clone > --depth = "1"', 'got: --color = "auto"'],
  ],
  [
    "Go: the folder of the program, sets of flags, constants",
    "cmd/lantern/main.go",
    `package main
const defaultRoot = "."
func main() {
	flag.Int("port", 8080, "port")
	flag.StringVar(&root, "root", defaultRoot, "folder")
	fs := flag.NewFlagSet("push", flag.ExitOnError)
	fs.Int("count", 3, "count")
}`,
    ["lantern: --port = 8080", 'lantern: --root = "."', "lantern: push > --count = 3"],
  ],
  [
    "cobra: the variable that holds the command",
    "cli/root.go",
    `package cli
var rootCmd = &cobra.Command{Use: "app"}
var serveCmd = &cobra.Command{Use: "serve [x]"}
func init() {
	rootCmd.PersistentFlags().StringVar(&cfg, "config", "app.yaml", "c")
	serveCmd.Flags().IntVar(&port, "port", 80, "the port")
}`,
    ['app: app > --config = "app.yaml"', "app: serve > --port = 80"],
  ],
  [
    "urfave: nested commands, also without their type",
    "main.go",
    `package main
var app = &cli.App{Name: "boom", Flags: []cli.Flag{&cli.StringFlag{Name: "lang", Value: "en", EnvVars: []string{"BOOM_LANG"}}},
	Commands: []*cli.Command{{Name: "add", Flags: []cli.Flag{&cli.IntFlag{Name: "count", Value: 3}}}}}`,
    ['boom: --lang = "en"', 'BOOM_LANG = "en"', "boom: add > --count = 3"],
  ],
  [
    "picocli: the value of the field",
    "Sum.java",
    '@Command(name = "sum")\nclass Sum {\n  @Option(names = "--algorithm") private String algorithm = "SHA-256";\n  @Option(names = "--size", defaultValue = "3") int size;\n}',
    ['sum: --algorithm = "SHA-256"', 'sum: --size = "3"'],
  ],
  [
    "Symfony",
    "src/RunCommand.php",
    "<?php\n#[AsCommand(name: 'app:run')]\nclass RunCommand extends Command {\n  protected function configure(): void { $this->addOption('limit', null, InputOption::VALUE_OPTIONAL, 'How many', 10); }\n}\n",
    ["app:run > --limit = 10"],
  ],
  [
    "artisan",
    "app/Send.php",
    "<?php\nclass Send extends Command { protected $signature = 'mail:send {user} {--queue=default : The queue}'; }\n",
    ["mail:send > --queue = default"],
  ],
  [
    "OptionParser: the hash that it fills",
    "lib/cli.rb",
    'options = { port: 3000 }\nOptionParser.new do |opts|\n  opts.banner = "Usage: tool [options]"\n  opts.on("--port PORT", Integer, "The port") { |v| options[:port] = v }\n  opts.on("--mode MODE", [:a, :b], "The mode") { |v| options[:mode] = v }\nend\n',
    ["tool: --port = 3000", "tool: --mode {a|b}"],
  ],
  [
    "Thor: the method below",
    "lib/thor.rb",
    'class Cli < Thor\n  desc "build", "Builds"\n  method_option :port, default: 80\n  def build; end\n  desc "serve", "Serves"\n  option :port, default: 90\n  def serve; end\nend\n',
    ["build > --port = 80", "serve > --port = 90"],
  ],
  [
    "a shell script: the variables that the arms set",
    "rotate.sh",
    `COUNT=5\nkeep=\${KEEP_DAYS:-7}\nwhile [ $# -gt 0 ]; do\n  case "$1" in\n    --count) COUNT="$2"; shift 2 ;;\n    --keep) keep=$2; shift ;;\n    --fast) fast=1 ;;\n  esac\ndone\n`,
    ["rotate.sh: --count = 5", "rotate.sh: --keep = 7", "rotate.sh: --fast", "KEEP_DAYS = 7"],
  ],
  [
    "plumbum, with a list of names",
    "a/cli.py",
    'from plumbum import cli\nclass A(cli.Application):\n    x = cli.Flag(["-D", "--no-diff"], default=True, help="y")\n',
    ["-D = True", "--no-diff = True"],
  ],
  [
    "kong: the fields of a variable without a type",
    "main.go",
    'package main\n\nimport "github.com/alecthomas/kong"\n\nvar CLI struct {\n\tFeed struct {\n\t\tSkip bool `name:"skip-chick" help:"Adults."`\n\t} `cmd:""`\n}\n\nfunc main() { kong.Parse(&CLI) }\n',
    ["feed > --skip-chick"],
  ],
  [
    "go-arg",
    "main.go",
    'package main\n\ntype args struct {\n\tCount int `arg:"-n,--count" default:"3"`\n}\n',
    ["-n = 3", "--count = 3"],
  ],
  [
    "clipanion",
    "src/cli.ts",
    'class A extends Command {\n  loud = Option.Boolean("-l,--loud", false);\n}\n',
    ["-l = false", "--loud = false"],
  ],
  [
    "ts-command-line",
    "src/cli.ts",
    'this.defineFlagParameter({ parameterLongName: "--loud", environmentVariable: "LOUD_ALL" });\n',
    ["--loud", "LOUD_ALL"],
  ],
  [
    "argh",
    "src/main.rs",
    "#[derive(FromArgs)]\nstruct A {\n    /// x\n    #[argh(switch)]\n    want_all: bool,\n}\n",
    ["--want-all"],
  ],
  [
    "commons-cli",
    "src/main/java/A.java",
    'class A {\n  void f(Options o) {\n    o.addOption("x", "want-all", false, "d");\n    o.addOption(Option.builder("n").longOpt("name").hasArg().build());\n  }\n}\n',
    ["-x", "--want-all", "--name"],
  ],
  [
    "kotlinx-cli",
    "src/main/kotlin/A.kt",
    'fun main() {\n  val x by parser.option(ArgType.Boolean, fullName = "want-all", shortName = "x")\n}\n',
    ["--want-all", "-x"],
  ],
  [
    "getopts",
    "get.sh",
    'depth=3\nwhile getopts "d:v" opt; do\n  case $opt in\n    d) depth=$OPTARG ;;\n    v) loud=1 ;;\n  esac\ndone\n',
    ["get.sh: -d = 3", "get.sh: -v"],
  ],
])("%s", async (_, path, text, expected) => {
  const things = await readSurface(path, text);
  expect(things.filter(({ kind }) => kind === "flag" || kind === "environment").map(print)).toEqual(expected);
});
