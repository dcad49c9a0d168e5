import { expect, test } from "vitest";
import { readSurface } from "../read-surface.ts";
import type { Thing } from "../thing.ts";

/** `kind owner > name = value {choices}` */
function print({ kind, owner, name, value, choices }: Thing): string {
  const words = [`${kind} ${[...owner, name].join(" > ")}`];
  if (value !== undefined) words.push(`= ${value}`);
  if (choices) words.push(`{${choices.join("|")}}`);
  return words.join(" ");
}

/** How programs usually declare what they offer. Each row names things that must be read, among others. */
test.each<[string, string, string, string[]]>([
  [
    "argparse: negated flags",
    "app/a.py",
    `parser = argparse.ArgumentParser()
parser.add_argument("-w", "--workers", type=int, default=4, help="number of workers (default: %(default)s)")
parser.add_argument("--color", action=argparse.BooleanOptionalAction, default=True)
parser.add_argument("--level", choices=("info", "warn"), default="info")
parser.add_argument("--no-cache", dest="cache", action="store_false")
`,
    [
      "flag --workers = 4",
      "flag -w = 4",
      "flag --color = True",
      "flag --no-color",
      'flag --level = "info" {info|warn}',
      "flag --no-cache",
    ],
  ],
  [
    "argparse: defaults that are set apart, choices by name",
    "app/b.py",
    `def build():
    p = argparse.ArgumentParser()
    p.set_defaults(port=80)
    p.add_argument("--port", type=int)
    p.add_argument("--fmt", choices=FORMATS)
    for sub in ("a", "b"):
        pass
FORMATS = ["json", "text"]
`,
    ["flag --port = 80", "flag --fmt {json|text}"],
  ],
  [
    "cleo",
    "app/c.py",
    `class ServeCommand(Command):
    name = "serve"
    description = "Serves."
    options = [
        option("port", "p", "The port.", flag=False, default=8080),
        option("dry-run", None, "Do nothing."),
    ]
`,
    ["flag serve > --port = 8080", "flag serve > -p = 8080", "flag serve > --dry-run", "command serve"],
  ],
  [
    "click: groups, pairs and variables",
    "app/e.py",
    `@click.group()
def cli(): ...

@cli.command(name="up", short_help="Starts.")
@click.option("-d", "--detach/--no-detach", is_flag=True, default=False, show_default=True, help="In the background.")
@click.option("--tail", type=int, default=100, envvar=["APP_TAIL"])
@common_options
def up_cmd(detach, tail): ...

cli.add_command(down)
`,
    [
      "flag up > --detach = False",
      "flag up > --no-detach",
      "flag up > -d = False",
      "flag up > --tail = 100",
      "environment APP_TAIL = 100",
      "command up",
    ],
  ],
  [
    "typer: annotated and plain parameters",
    "app/f.py",
    `app = typer.Typer()
@app.command()
def main(name: str, count: Annotated[int, typer.Option("--count", "-c", help="How many.")] = 3, color: bool = True, path: Path = typer.Option(None, "--path", envvar="APP_PATH", show_default=False)):
    ...
`,
    [
      "flag --count = 3",
      "flag -c = 3",
      "flag --color = True",
      "flag --no-color",
      "flag --path = None",
      "environment APP_PATH",
    ],
  ],
  [
    "optparse",
    "app/g.py",
    `parser = OptionParser(usage="x")
parser.add_option("-f", "--file", dest="filename", default="out.txt", help="write to FILE")
`,
    ['flag --file = "out.txt"', 'flag -f = "out.txt"'],
  ],
  [
    "click: options that a variable holds",
    "app/h.py",
    `import click
def common_options(func):
    func = click.option("--verbose", "-v", count=True)(func)
    return func
no_color = partial(click.option, "--no-colour", is_flag=True)
shared = click.option("--region", default="eu")
`,
    ["flag --verbose", 'flag --region = "eu"'],
  ],
  [
    "tables of defaults and keywords",
    "app/k.py",
    `DEFAULTS = {"timeout": 30, "retries": 3, "log": {"level": "info"}}
class Client:
    defaults = {"verify": True}
    def __init__(self, **kwargs):
        self.timeout = kwargs.get("timeout", DEFAULTS["timeout"])
        self.retries = kwargs.pop("backoff", 0.5)
`,
    [
      "setting DEFAULTS > timeout = 30",
      'setting DEFAULTS > log > level = "info"',
      "setting Client > defaults > verify = True",
      "setting backoff = 0.5",
    ],
  ],
  [
    "settings read by getattr",
    "app/l.py",
    `from django.conf import settings
def size():
    return getattr(settings, "APP_PAGE_SIZE", 20)
LIMIT = getattr(settings, "APP_LIMIT", None)
`,
    ["setting APP_PAGE_SIZE = 20", "setting APP_LIMIT"],
  ],
  [
    "pydantic: prefixes and aliases",
    "app/m.py",
    `class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="APP_")
    port: int = 8000
    host: str = Field("0.0.0.0", description="The host.", validation_alias="BIND_HOST")
    debug: bool = Field(default=False, alias="APP_DBG")
`,
    [
      "setting Settings > port = 8000",
      "environment APP_PORT = 8000",
      'setting Settings > host = "0.0.0.0"',
      'environment BIND_HOST = "0.0.0.0"',
    ],
  ],
  [
    "settings that are classes",
    "app/n.py",
    `class Setting(metaclass=SettingMeta):
    name = None
class Workers(Setting):
    name = "workers"
    section = "Worker Processes"
    cli = ["-w", "--workers"]
    type = int
    default = 1
    desc = """The number of workers."""
`,
    ["setting workers = 1", "flag --workers = 1", "flag -w = 1"],
  ],
  [
    "attrs and dataclasses",
    "app/o.py",
    `import attr
@attr.s
class Config:
    timeout = attr.ib(default=10)
@dataclass
class RunConfig:
    retries: int = 3
    tags: list = field(default_factory=list)
    limit: int = field(default=7)
class Opts(TypedDict, total=False):
    color: str
`,
    ["setting Config > timeout = 10", "setting RunConfig > retries = 3", "setting RunConfig > limit = 7"],
  ],
  [
    "variables of Python",
    "app/p.py",
    `import os, environ
A = os.environ.get("APP_A", "x")
B = os.environ["APP_B"]
C = os.getenv("APP_C") or "c"
if "APP_D" in os.environ: pass
E = config("APP_E", default=5, cast=int)
F = env.bool("APP_F", default=False)
G = environ.get("APP_G", "1")
H = int(os.environ.get("APP_H", 30))
ENV_NAME = "APP_I"
I = os.environ.get(ENV_NAME)
J = environ.setdefault("APP_J", "z")
`,
    [
      'environment APP_A = "x"',
      "environment APP_B",
      'environment APP_C = "c"',
      "environment APP_D",
      "environment APP_E = 5",
      "environment APP_F = False",
      'environment APP_G = "1"',
      "environment APP_H = 30",
      "environment APP_I",
      'environment APP_J = "z"',
    ],
  ],
  [
    "a module of defaults",
    "app/defaults.py",
    `TIMEOUT = 30
RETRY = {"limit": 3}
broker_url = "amqp://"
`,
    ["setting TIMEOUT = 30"],
  ],
  [
    "configparser",
    "app/q.py",
    `config = configparser.ConfigParser()
config.read_dict({"server": {"port": 80}})
def load(cfg):
    port = cfg.getint("server", "port", fallback=8080)
    host = cfg.get("server", "host", fallback="localhost")
    return cfg["server"]["tls"]
`,
    ["setting server > port = 8080", 'setting server > host = "localhost"'],
  ],
  [
    "routes of Flask, FastAPI and Django",
    "app/r.py",
    `@app.route("/users/<int:id>", methods=["GET", "POST"])
def user(id): ...
@bp.get("/health")
def health(): ...
router = APIRouter(prefix="/items")
@router.post("/{item_id}")
def item(item_id): ...
urlpatterns = [
    path("articles/<int:year>/", views.year),
    re_path(r"^old/(?P<x>\\w+)/$", views.old),
    path("api/", include("api.urls")),
]
app.add_url_rule("/ping", view_func=ping)
`,
    [
      "route GET > /users/<int:id>",
      "route POST > /users/<int:id>",
      "route GET > /health",
      "route POST > /items/{item_id}",
      "route /articles/<int:year>/",
      "route /ping",
    ],
  ],
  [
    "commander: options and commands that are objects",
    "src/cli.ts",
    `program.name("press").option("-p, --port <n>", "the port", "3000").addOption(new Option("-l, --level <l>", "level").choices(["a","b"]).default("a").env("PRESS_LEVEL"));
const build = new Command("build").description("Builds").option("--out <dir>", "where", "dist");
program.addCommand(build);
`,
    [
      'flag --port = "3000"',
      'flag --level = "a" {a|b}',
      'environment PRESS_LEVEL = "a"',
      "command build",
      'flag build > --out = "dist"',
    ],
  ],
  [
    "yargs: links of a chain",
    "src/b.js",
    `yargs(hideBin(process.argv)).command("serve [port]", "starts", (y) => y.option("verbose", { alias: "v", type: "boolean", default: false, describe: "talk" })).option("color", { choices: ["auto","never"], default: "auto" }).boolean("quiet").alias("q", "quiet").default("depth", 3).describe("depth", "how deep").help().argv`,
    [
      "flag serve > --verbose = false",
      "flag serve > -v = false",
      'flag --color = "auto" {auto|never}',
      "flag --quiet",
      "flag -q",
      "flag --depth = 3",
    ],
  ],
  [
    "minimist",
    "src/c.js",
    `const argv = minimist(process.argv.slice(2), { boolean: ["watch"], string: ["out"], alias: { w: "watch", o: "out" }, default: { out: "dist" } });`,
    ["flag --watch", "flag -w", 'flag --out = "dist"', 'flag -o = "dist"'],
  ],
  [
    "meow",
    "src/d.js",
    `const cli = meow(\`Usage\`, { importMeta: import.meta, flags: { maxDepth: { type: "number", default: 4, shortFlag: "d" }, rainbow: { type: "boolean" } } });`,
    ["flag --max-depth = 4", "flag -d = 4", "flag --rainbow"],
  ],
  [
    "oclif: negated flags and variables",
    "src/commands/user/add.ts",
    `export default class Add extends Command {
  static description = "Adds a user";
  static flags = { force: Flags.boolean({ char: "f", description: "no question", allowNo: true }), role: Flags.string({ default: "guest", options: ["guest", "admin"], env: "APP_ROLE" }) };
}`,
    [
      "flag user > add > --force",
      "flag user > add > --no-force",
      'flag user > add > --role = "guest" {guest|admin}',
      'environment APP_ROLE = "guest"',
    ],
  ],
  [
    "cac",
    "src/e.ts",
    `const cli = cac("vp"); cli.command("dev [root]", "start").option("--host [host]", \`[string] host\`).option("--port <port>", "port", { default: 5173 }); cli.option("-m, --mode <m>", "mode");`,
    ["flag dev > --host", "flag dev > --port = 5173", "flag --mode"],
  ],
  [
    "optionator: negated flags",
    "lib/options.js",
    `module.exports = optionator({ prepend: "x", options: [ { heading: "Basic" }, { option: "inline-config", type: "Boolean", default: "true", description: "Prevent comments" }, { option: "max-warnings", alias: "w", type: "Int", default: "-1", description: "n", enum: ["1"] } ] });`,
    [
      'flag --inline-config = "true"',
      "flag --no-inline-config",
      'flag --max-warnings = "-1" {1}',
      'flag -w = "-1" {1}',
    ],
  ],
  [
    "parseArgs",
    "src/f.ts",
    `const { values } = parseArgs({ options: { base: { type: "string", short: "b", default: "main" }, json: { type: "boolean" } } });`,
    ['flag --base = "main"', 'flag -b = "main"', "flag --json"],
  ],
  [
    "citty",
    "src/g.ts",
    `export default defineCommand({ meta: { name: "dev", description: "Runs" }, args: { port: { type: "string", default: "3000", alias: ["p"], description: "Port" }, dotenv: { type: "boolean", default: true, negativeDescription: "no" } } });`,
    ['flag --port = "3000"', 'flag -p = "3000"', "flag --dotenv = true"],
  ],
  [
    "arg",
    "src/h.ts",
    `const args = arg({ "--help": Boolean, "--port": Number, "-p": "--port" });`,
    ["flag --help", "flag --port", "flag -p"],
  ],
  [
    "mri and sade",
    "src/i.ts",
    `const argv = mri(process.argv.slice(2), { alias: { h: "help" }, default: { port: 80 } }); sade("my-cli").command("build <src>").describe("b").option("-c, --config", "cfg", "foo.js");`,
    ["flag --port = 80", "flag --help", "flag -h", 'flag build > --config = "foo.js"'],
  ],
  [
    "objects of defaults",
    "src/j.ts",
    `const defaults = { retries: 3, log: { level: "info" } };
export function create(options: Options = {}) { const opts = { ...defaults, ...options }; return opts; }
export interface Options { retries?: number; }
export const DEFAULT_OPTIONS: Required<Options> = { retries: 5 };
const defaultConfig = { port: 3000 } satisfies Config;`,
    [
      "setting defaults > retries = 3",
      'setting defaults > log > level = "info"',
      "setting Options > retries = 5",
      "setting defaultConfig > port = 3000",
    ],
  ],
  [
    "defaults of normalising functions",
    "src/k.ts",
    `export function normalize(options: ServerOptions) { return { port: options.port ?? 3000, host: options.host || "localhost", tls: options.tls === undefined ? true : options.tls, keep: typeof options.keep === "number" ? options.keep : 5 }; }
function fill(o) { o.depth ??= 3; o.width = o.width ?? 80; if (o.mode === undefined) { o.mode = "fast"; } }
function read(userOptions: ReadOptions) { const { size = 10, deep: { a = 1 } = {} } = userOptions; const limit = userOptions?.limit ?? 9; }
class S { constructor(opts: SOptions) { this.timeout = opts.timeout != null ? opts.timeout : 50; this.x = "x" in opts ? opts.x : 4; } }`,
    [
      "setting ServerOptions > port = 3000",
      'setting ServerOptions > host = "localhost"',
      "setting ServerOptions > tls = true",
      "setting ServerOptions > keep = 5",
      "setting ReadOptions > size = 10",
      "setting ReadOptions > limit = 9",
      "setting SOptions > timeout = 50",
    ],
  ],
  [
    "variables of JavaScript",
    "src/l.ts",
    `const port = process.env.PORT || 3000; const h = process.env["HOST_NAME"] ?? "x"; const { API_URL = "u", TOKEN_X } = process.env; const e = import.meta.env.VITE_X; const n = Number(process.env.LIMIT_N ?? 5); const t = process.env.TT_A ? Number(process.env.TT_A) : 7; const env = process.env; const z = env.ZED_Z ?? "q"; const d = Deno.env.get("DENO_X") ?? "1"; const b = Bun.env.BUN_X; const parsed = z.object({ ZOD_PORT: z.coerce.number().default(8080) }).parse(process.env); const c = cleanEnv(process.env, { ENVALID_P: port({ default: 3001 }) }); if ("IN_ENV" in process.env) {} const get = getEnv("GET_ENV", "d");`,
    [
      "environment PORT = 3000",
      'environment HOST_NAME = "x"',
      'environment API_URL = "u"',
      "environment TOKEN_X",
      "environment VITE_X",
      "environment LIMIT_N = 5",
      "environment TT_A = 7",
      'environment ZED_Z = "q"',
      'environment DENO_X = "1"',
      "environment BUN_X",
      "environment ZOD_PORT = 8080",
      "environment ENVALID_P = 3001",
      "environment IN_ENV",
    ],
  ],
  [
    "routes of express, fastify, koa and elysia",
    "src/m.ts",
    `app.get("/users/:id", h); router.post("/users", h); fastify.route({ method: "PUT", url: "/items/:id", handler }); app.route("/books").get(list).post(add); const r = new Router({ prefix: "/api" }); r.get("/x", h); new Hono().basePath("/v1").get("/p", c => c.text("")); app.use("/admin", adminRouter); app.delete("/y", h); app.all("/z", h); new Elysia().get("/e", () => 1)`,
    [
      "route GET > /users/:id",
      "route POST > /users",
      "route PUT > /items/:id",
      "route GET > /books",
      "route POST > /books",
      "route GET > /api/x",
      "route DELETE > /y",
      "route /z",
      "route GET > /e",
    ],
  ],
  [
    "routes of Nest",
    "src/n.ts",
    `@Controller("cats") export class C { @Get(":id") one() {} @Post() add() {} }`,
    ["route GET > /cats/:id", "route POST > /cats"],
  ],
  [
    "names that a module offers from another",
    "src/index.ts",
    `export { open, close as shut } from "./file.js"; export * as codecs from "./codecs.js"; export * from "./all.js"; export { default as Client } from "./client.js"; import { hide } from "./h.js"; export { hide }; export const alias = open;`,
    ["symbol shut"],
  ],
  [
    "exports of CommonJS",
    "src/o.js",
    `module.exports = { open, close: shut, VERSION: "1" }; exports.read = read; module.exports.write = write;`,
    ["symbol close", "symbol read", "symbol write"],
  ],
  [
    "tables of error codes",
    "src/p.ts",
    `export const ERRORS = { TIMEOUT: "ERR_APP_TIMEOUT", LIMIT: "ERR_APP_LIMIT" }; export class E extends Error { code = "E_APP_FAIL"; } export enum Code { BAD = "ERR_APP_BAD" }`,
    ["error ERR_APP_TIMEOUT", "error ERR_APP_LIMIT", "error E_APP_FAIL", "error ERR_APP_BAD"],
  ],
  [
    "command-line-args",
    "src/q.ts",
    `export const options = { root: { type: "string", default: "." } } as const; export const cliFlags = [ { name: "verbose", alias: "v", type: Boolean, description: "talk", defaultValue: false } ]; const o = commandLineArgs([{ name: "src", type: String, multiple: true, defaultOption: true }, { name: "timeout", alias: "t", type: Number }]);`,
    ["flag --verbose = false", "flag -v = false", "flag --src", "flag --timeout", "flag -t"],
  ],
  [
    "flag",
    "cmd/app/main.go",
    `package main
import "flag"
var port = flag.Int("port", 8080, "the port")
func main() { flag.StringVar(&host, "host", defaultHost, "host"); flag.BoolVar(&v, "v", false, "talk"); d := flag.Duration("wait", 5*time.Second, "w") }
const defaultHost = "localhost"`,
    ["flag --port = 8080", 'flag --host = "localhost"', "flag -v = false", "flag --wait = 5*time.Second"],
  ],
  [
    "cobra: aliases",
    "cmd/serve.go",
    `package cmd
func newServeCmd() *cobra.Command {
	cmd := &cobra.Command{ Use: "serve [dir]", Short: "Serves", Aliases: []string{"s"}, RunE: run }
	cmd.Flags().IntVarP(&opts.Port, "port", "p", 8080, "the port")
	cmd.PersistentFlags().String("config", "app.yaml", "config file")
	_ = viper.BindPFlag("server.port", cmd.Flags().Lookup("port"))
	viper.SetDefault("server.host", "localhost")
	viper.BindEnv("token", "APP_TOKEN")
	return cmd
}`,
    [
      "command serve",
      "command s",
      "flag serve > --port = 8080",
      "flag serve > -p = 8080",
      'flag serve > --config = "app.yaml"',
      'setting server.host = "localhost"',
    ],
  ],
  [
    "helpers that are given a method of pflag",
    "pkg/flags.go",
    `package pkg
func setup(v *viper.Viper, fs *pflag.FlagSet) {
	internal.AddFlagAndBind(v, fs, fs.Bool, "fast-only", "linters.fast-only", false, color.GreenString("Filter"))
	internal.AddFlagAndBindP(v, fs, fs.StringP, "out", "o", "out.path", "x", "help")
	cmdFlags.IntVar(&x, "level", 3, "lvl")
	flags.StringSliceVar(&y, "tags", []string{"a"}, "t")
	fs.VarP(&z, "zone", "z", "zone")
}`,
    [
      "flag --fast-only = false",
      'flag --out = "x"',
      'flag -o = "x"',
      "flag --level = 3",
      'flag --tags = []string{"a"}',
      "flag --zone",
      "flag -z",
    ],
  ],
  [
    "urfave: aliases",
    "cmd/u.go",
    `package main
app := &cli.App{ Name: "boom", Flags: []cli.Flag{ &cli.StringFlag{Name: "lang", Aliases: []string{"l"}, Value: "english", Usage: "language", EnvVars: []string{"APP_LANG"}}, &cli.IntFlag{Name: "n", Value: 3} }, Commands: []*cli.Command{ {Name: "add", Aliases: []string{"a"}, Usage: "add a task", Flags: []cli.Flag{ &cli.BoolFlag{Name: "force"} } } } }`,
    [
      'flag --lang = "english"',
      'flag -l = "english"',
      'environment APP_LANG = "english"',
      "flag -n = 3",
      "command add",
      "flag add > --force",
      "command a",
    ],
  ],
  [
    "urfave: sources",
    "cmd/u3.go",
    `package main
var cmd = &cli.Command{ Name: "boom", Flags: []cli.Flag{ &cli.StringFlag{Name: "lang", Sources: cli.EnvVars("APP_LANG", "LANGUAGE_X")} }, Commands: []*cli.Command{ &cli.Command{ Name: "sub" } } }`,
    ["flag --lang", "environment APP_LANG", "environment LANGUAGE_X", "command sub"],
  ],
  [
    "kingpin: commands and choices",
    "cmd/k.go",
    `package main
import "gopkg.in/alecthomas/kingpin.v2"
var (
	debug = kingpin.Flag("debug", "Enable debug").Short('d').Default("true").Envar("APP_DEBUG").Bool()
	post = app.Command("post", "Post a message")
	chan_ = post.Flag("channel", "ch").Default("main").Enum("main", "other")
)`,
    [
      'flag --debug = "true"',
      'flag -d = "true"',
      'environment APP_DEBUG = "true"',
      "command post",
      'flag post > --channel = "main" {main|other}',
    ],
  ],
  [
    "kong",
    "cmd/kong.go",
    `package main
type CLI struct {
	Port int \`default:"80" short:"p" help:"The port." env:"APP_PORT"\`
	Rm struct {
		Force bool \`help:"Force."\`
	} \`cmd:"" help:"Remove."\`
	Level string \`enum:"a,b" default:"a"\`
}
func main() { kong.Parse(&cli) }`,
    [
      "flag --port = 80",
      "flag -p = 80",
      "command rm",
      "flag rm > --force",
      "environment APP_PORT = 80",
      "flag --level = a {a|b}",
    ],
  ],
  [
    "go-flags",
    "cmd/gf.go",
    `package main
type opts struct {
	Verbose bool \`short:"v" long:"verbose" description:"talk"\`
	N int \`long:"count" default:"4" choice:"4" choice:"5" env:"N_COUNT"\`
}`,
    ["flag --verbose", "flag -v", "flag --count = 4 {4|5}", "environment N_COUNT = 4"],
  ],
  [
    "tags with defaults",
    "config/config.go",
    `package config
type Config struct {
	Port int \`yaml:"port" json:"port" env:"APP_PORT" envDefault:"8080"\`
	Log LogConfig \`mapstructure:"log"\`
	Global \`yaml:",inline"\`
}
type LogConfig struct { Level string \`toml:"level" default:"info"\` }
type Global struct { Timeout time.Duration \`yaml:"timeout"\` }
var DefaultConfig = Config{ Port: 9090 }
func (c *Config) setDefaults() { if c.Timeout == 0 { c.Timeout = 5 * time.Second } }`,
    [
      "setting Config > port = 8080",
      "environment APP_PORT = 8080",
      "setting Config > log",
      "setting LogConfig > level = info",
      "setting Global > timeout",
    ],
  ],
  [
    "a variable that holds the defaults",
    "config/d.go",
    `package config
type S struct {
	A int \`yaml:"a"\`
	B string \`yaml:"b_b"\`
}
var Default = S{ A: 1, B: "x" }
func DefaultS() *S { return &S{A: 1} }`,
    ["setting S > a = 1", 'setting S > b_b = "x"'],
  ],
  [
    "variables of Go",
    "env.go",
    `package app
const envCache = "APP_CACHE_DIR"
const EnvHome = "APP_HOME_DIR"
func a() { p := os.Getenv("APP_P"); if p == "" { p = "80" }; v, ok := os.LookupEnv("APP_Q"); w := cmp.Or(os.Getenv("APP_W"), "d"); x := getEnvOrDefault("APP_X", "3"); y := os.Getenv(envCache) }`,
    [
      "environment APP_CACHE_DIR",
      "environment APP_HOME_DIR",
      'environment APP_P = "80"',
      "environment APP_Q",
      'environment APP_W = "d"',
      'environment APP_X = "3"',
    ],
  ],
  [
    "routes of gin, echo, chi and the standard library",
    "routes.go",
    `package app
func r() { r.GET("/ping", h); mux.HandleFunc("/hello", h); mux.HandleFunc("POST /items/{id}", h); e.POST("/users/:id", h); c.Get("/chi/{id}", h); g := r.Group("/v1"); g.GET("/x", h); r.Route("/art", func(r chi.Router) { r.Get("/{slug}", h) }); m.HandleFunc("/q/{k}", h).Methods("GET"); app.Get("/fiber", h)}`,
    [
      "route GET > /ping",
      "route /hello",
      "route POST > /items/{id}",
      "route POST > /users/:id",
      "route GET > /chi/{id}",
      "route GET > /v1/x",
      "route GET > /art/{slug}",
      "route GET > /q/{k}",
      "route GET > /fiber",
    ],
  ],
  [
    "functions of templates",
    "tmpl.go",
    `package app
var DefaultFuncs = FuncMap{ "toUpper": strings.ToUpper, "stringSlice": func(s ...string) []string { return s } }
type FuncMap map[string]any
var builtins = map[string]interface{}{ "join": join }`,
    ["member template > toUpper", "member template > stringSlice"],
  ],
  [
    "clap, derived: aliases and choices",
    "src/cli.rs",
    `#[derive(Parser)]
#[command(name = "fd", version)]
pub struct Cli {
    /// The depth
    #[arg(short = 'd', long, value_name = "N", default_value_t = 4, env = "FD_DEPTH", alias = "dep")]
    depth: usize,
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,
    #[arg(long = "no-hidden", overrides_with = "hidden", hide = true)]
    no_hidden: bool,
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    cmd: Cmd,
}
#[derive(Args)]
struct Common { #[arg(short, long, global = true, action = ArgAction::Count)] verbose: u8, #[arg(long, default_value = "out", default_values = ["a"])] out: String }
#[derive(Subcommand)]
enum Cmd {
    /// Adds
    Add { #[arg(long)] name: String },
    #[command(alias = "rm", visible_alias = "del")]
    Remove(RemoveArgs),
}
#[derive(Args)]
struct RemoveArgs { #[arg(long)] force: bool }
#[derive(ValueEnum, Clone)]
enum Color { Auto, Never }`,
    [
      "flag --depth = 4",
      "flag -d = 4",
      "flag --dep = 4",
      "environment FD_DEPTH = 4",
      "flag --color = auto {auto|never}",
      "flag --verbose",
      "flag -v",
      'flag --out = "out"',
      "command add",
      "flag add > --name",
      "command remove",
      "command rm",
      "command del",
      "flag remove > --force",
    ],
  ],
  [
    "clap, built: aliases and variables",
    "src/b.rs",
    `pub fn build() -> Command { Command::new("app").arg(Arg::new("depth").long("depth").short('d').default_value("3").value_parser(["1","3"]).help("How deep").env("APP_DEPTH")).arg(arg!(--name <N> "a name")).subcommand(Command::new("run").visible_alias("r").about("Runs").arg(Arg::new("fast").long("fast").action(ArgAction::SetTrue))) }`,
    [
      'flag --depth = "3" {1|3}',
      'flag -d = "3" {1|3}',
      'environment APP_DEPTH = "3"',
      "flag --name",
      "command run",
      "command r",
      "flag run > --fast",
    ],
  ],
  [
    "structopt: choices",
    "src/c.rs",
    `#[derive(StructOpt)] #[structopt(name="x", rename_all = "kebab-case")] struct Opt { #[structopt(short, long, default_value = "80", possible_values = &["80","90"])] port_number: u16 }`,
    ['flag --port-number = "80" {80|90}', 'flag -p = "80" {80|90}'],
  ],
  [
    "serde",
    "src/d.rs",
    `#[derive(Deserialize)] #[serde(rename_all = "kebab-case", default, deny_unknown_fields)] pub struct Config { pub max_depth: usize, #[serde(rename = "colour", alias = "color")] pub color: String, #[serde(default = "default_port")] pub port: u16, #[serde(flatten)] pub log: LogConfig, #[serde(skip)] pub hidden: u8 }
fn default_port() -> u16 { 8080 }
impl Default for Config { fn default() -> Self { Self { max_depth: 4, color: "auto".into(), port: 1, log: LogConfig::default() , hidden: 0} } }
#[derive(Deserialize)] pub struct LogConfig { pub level: String }`,
    [
      "setting Config > max-depth = 4",
      'setting Config > colour = "auto"',
      'setting Config > color = "auto"',
      "setting Config > port = 8080",
    ],
  ],
  [
    "variables of Rust",
    "src/e.rs",
    `fn a() { let p = env::var("APP_P").unwrap_or_else(|_| "80".to_string()); let q = std::env::var_os("APP_Q"); let r = option_env!("APP_R"); let s = env!("APP_S"); let t: u16 = env::var("APP_T").ok().and_then(|v| v.parse().ok()).unwrap_or(3000); match env::var("APP_U") { Ok(v) => v, Err(_) => "d".into() }; }
const CACHE_ENV: &str = "APP_CACHE_X";`,
    [
      'environment APP_P = "80"',
      "environment APP_Q",
      "environment APP_R",
      "environment APP_S",
      "environment APP_T = 3000",
      "environment APP_U",
      "environment APP_CACHE_X",
    ],
  ],
  [
    "routes of axum, actix and rocket",
    "src/f.rs",
    `fn app() -> Router { Router::new().route("/users/{id}", get(show).post(update)).route("/x", axum::routing::delete(d)).nest("/api", api()) }
#[get("/actix/{id}")] async fn idx() {} #[post("/rocket", data = "<x>")] fn r() {}
fn cfg(c: &mut web::ServiceConfig) { c.service(web::resource("/res").route(web::get().to(h))); c.route("/hey", web::get().to(h)); }`,
    [
      "route GET > /users/{id}",
      "route POST > /users/{id}",
      "route DELETE > /x",
      "route GET > /actix/{id}",
      "route POST > /rocket",
      "route /res",
      "route GET > /hey",
    ],
  ],
  [
    "public uses",
    "src/lib.rs",
    `pub use inner::{open, close as shut}; pub use crate::deep::*; pub mod api; mod hidden; pub use crate::a::b::Thing;`,
    ["symbol open", "symbol shut", "symbol Thing"],
  ],
  [
    "clap, derived: listed values",
    "src/g.rs",
    `#[derive(Parser)] pub struct A { #[clap(long, default_value_t)] x: u8, #[arg(long, num_args = 1.., value_delimiter = ',')] tags: Vec<String>, #[arg(long, value_parser = ["json", "text"], default_value = "json")] format: String, #[arg(short = 'q', long = "quiet", conflicts_with = "x", help = "Be quiet")] q: bool }`,
    ["flag --x", "flag --tags", 'flag --format = "json" {json|text}', "flag --quiet"],
  ],
  [
    "Symfony: the name twice",
    "src/Command/Serve.php",
    `<?php #[AsCommand(name: "app:serve", description: "Serves")] class ServeCommand extends Command { protected function configure(): void { $this->setName("app:serve")->addArgument("dir")->addOption("port", "p", InputOption::VALUE_REQUIRED, "The port", 8000)->addOption("dry-run", null, InputOption::VALUE_NONE, "Nothing"); } }`,
    [
      "command app:serve",
      "flag app:serve > --port = 8000",
      "flag app:serve > -p = 8000",
      "flag app:serve > --dry-run",
    ],
  ],
  [
    "Symfony: definitions and aliases",
    "src/Command/Def.php",
    `<?php class InstallCommand extends BaseCommand { protected function configure(): void { $this->setName('install')->setAliases(['i'])->setDefinition([ new InputOption('prefer-source', null, InputOption::VALUE_NONE, 'Forces'), new InputOption('jobs', 'j', InputOption::VALUE_REQUIRED, 'n', 3) ]); } }`,
    [
      "command install",
      "command i",
      "flag install > --prefer-source",
      "flag install > --jobs = 3",
      "flag install > -j = 3",
    ],
  ],
  [
    "artisan: letters and defaults",
    "app/Console/Commands/Send.php",
    `<?php class Send extends Command { protected $signature = 'mail:send {user : The user} {--queue= : The queue} {--F|force : Now} {--id=* : Ids} {--limit=10 : Max}'; protected $description = 'Sends'; }`,
    [
      "command mail:send",
      "flag mail:send > --queue",
      "flag mail:send > --force",
      "flag mail:send > -F",
      "flag mail:send > --id = *",
      "flag mail:send > --limit = 10",
    ],
  ],
  [
    "a file of configuration that returns an array",
    "config/app.php",
    `<?php return [ 'name' => env('APP_NAME', 'Laravel'), 'debug' => (bool) env('APP_DEBUG', false), 'log' => ['level' => 'debug'] ];`,
    ["environment APP_NAME = 'Laravel'", "environment APP_DEBUG = false"],
  ],
  [
    "routes of Laravel and Slim",
    "routes/web.php",
    `<?php Route::get('/users/{id}', [U::class, 'show']); Route::post('items', 'x'); Route::resource('photos', P::class); #[Route('/blog/{slug}', name: 'blog', methods: ['GET'])] class X {} $app->get('/slim', f); Route::prefix('admin')->group(function () { Route::get('/z', f); });`,
    ["route GET > /users/{id}", "route POST > /items", "route GET > /slim"],
  ],
  [
    "variables of PHP",
    "src/env.php",
    `<?php $a = getenv('APP_A') ?: 'x'; $b = $_ENV['APP_B'] ?? 'y'; $c = $_SERVER['APP_C'] ?? 1; `,
    ["environment APP_A = 'x'", "environment APP_B = 'y'", "environment APP_C = 1"],
  ],
  [
    "options of PHP",
    "src/opts.php",
    `<?php $resolver->setDefaults(['timeout' => 30, 'verify' => true]); $resolver->setDefault('retries', 3); class Client { private array $defaults = ['host' => 'x']; function __construct(array $options = []) { $this->port = $options['port'] ?? 80; $o = array_merge(['size' => 5], $options); } }`,
    [
      "setting timeout = 30",
      "setting verify = true",
      "setting retries = 3",
      "setting port = 80",
      "setting size = 5",
    ],
  ],
  [
    "a tree of configuration",
    "src/tree.php",
    `<?php $rootNode->children()->scalarNode('host')->defaultValue('localhost')->end()->integerNode('port')->defaultValue(80)->min(1)->end()->booleanNode('tls')->defaultTrue()->end()->end();`,
    ["setting host = 'localhost'", "setting port = 80", "setting tls = true"],
  ],
  [
    "OptionParser: switches at the end",
    "lib/cli.rb",
    `options = { port: 3000 }
OptionParser.new do |opts|
  opts.banner = "Usage: thing [options]"
  opts.on("-p", "--port PORT", Integer, "The port") { |v| options[:port] = v }
  opts.on "--[no-]color", "Colours" do |v|
    options[:color] = v
  end
  opts.on_tail("-h", "--help", "Help") { exit }
  opts.on("--level LEVEL", [:a, :b], "lvl")
end`,
    [
      "flag --port = 3000",
      "flag -p = 3000",
      "flag --color",
      "flag --no-color",
      "flag --help",
      "flag --level {a|b}",
    ],
  ],
  [
    "Thor: options without facts",
    "lib/thor.rb",
    `class App < Thor
  class_option :verbose, type: :boolean, default: false
  desc "serve DIR", "Serves"
  method_option :port, type: :numeric, default: 80, aliases: "-p", desc: "Port", enum: [80, 90]
  option :host
  def serve(dir); end
  desc "old", "o", hide: true
  map "-v" => :version
end`,
    [
      "command serve",
      "flag serve > --port = 80",
      "flag serve > -p = 80",
      "flag serve > --host",
      "flag --verbose = false",
    ],
  ],
  [
    "dry-cli",
    "lib/dry.rb",
    `class Serve < Dry::CLI::Command
  desc "Serves"
  option :port, type: :integer, default: 80, desc: "Port", aliases: ["-p"]
  argument :dir
end
register "serve", Serve`,
    ["flag --port = 80", "flag -p = 80"],
  ],
  [
    "settings of Ruby",
    "lib/cfg.rb",
    `module Thing
  DEFAULTS = { timeout: 30, retries: 3 }.freeze
  class Configuration
    attr_accessor :host, :port
    def initialize
      @host = "localhost"
      @port = ENV.fetch("THING_PORT", 80)
      @size = ENV["THING_SIZE"] || 5
    end
  end
  class Client
    def initialize(opts = {})
      @limit = opts.fetch(:limit, 9)
      @deep = opts[:deep] || 2
    end
  end
  mattr_accessor :page_size, default: 20
  setting :adapter, default: :mem
end`,
    [
      'setting Thing > Configuration > host = "localhost"',
      "environment THING_PORT = 80",
      "environment THING_SIZE = 5",
      "setting limit = 9",
      "setting deep = 2",
      "setting page_size = 20",
      "setting adapter = :mem",
    ],
  ],
  [
    "routes of Rails",
    "config/routes.rb",
    `Rails.application.routes.draw do
  get "/health", to: "h#s"
  post "users/:id/lock", to: "x#y"
  resources :photos
  namespace :api do
    get "ping", to: "p#q"
  end
end`,
    ["route GET > /health", "route POST > /users/:id/lock"],
  ],
  [
    "routes of Sinatra",
    "lib/sinatra.rb",
    `class A < Sinatra::Base
  get "/hello/:name" do
  end
end`,
    ["route GET > /hello/:name"],
  ],
  [
    "picocli: several commands",
    "src/main/java/Cli.java",
    `@Command(name = "chk", description = "Checks", subcommands = {Sub.class}) class Cli implements Runnable { @Option(names = {"-p", "--port"}, description = "The port", defaultValue = "80") int port; @Option(names = "--deep") int deep = 4; @CommandLine.Option(names = {"--[no-]color"}, negatable = true, defaultValue="\${env:CHK_COLOR:-true}") boolean color; enum Mode { A } }
@Command(name = "sub") class Sub { @Option(names = "--x") int x; }`,
    ['flag chk > --port = "80"', 'flag chk > -p = "80"', "flag chk > --deep = 4", "flag sub > --x"],
  ],
  [
    "JCommander",
    "src/main/java/J.java",
    `class Args { @Parameter(names = {"--log", "-l"}, description = "Level") private Integer log = 1; } `,
    ["flag --log = 1", "flag -l = 1"],
  ],
  [
    "properties of Spring and of the machine",
    "src/main/java/C.java",
    `@ConfigurationProperties(prefix = "app.mail") public class MailProperties { private String host = "localhost"; private int maxSize = 10; public void setHost(String h) {} }
class V { @Value("\${app.timeout:30}") int timeout; @Value("\${app.name}") String name; String e = System.getenv("APP_E"); String f = System.getenv().getOrDefault("APP_F", "x"); String p = System.getProperty("app.dir", "/tmp"); String o = Optional.ofNullable(System.getenv("APP_O")).orElse("y"); }`,
    [
      "setting app.timeout = 30",
      "setting app.name",
      "environment APP_E",
      'environment APP_F = "x"',
      'setting app.dir = "/tmp"',
      'environment APP_O = "y"',
    ],
  ],
  [
    "routes of Spring and JAX-RS",
    "src/main/java/R.java",
    `@RestController @RequestMapping("/api/invoices") class R { @GetMapping("/{id}") String one() {} @PostMapping String add() {} @RequestMapping(value = "/x", method = RequestMethod.PUT) String x() {} } @Path("/jax") class X { @GET @Path("/{k}") String k() {} }`,
    [
      "route GET > /api/invoices/{id}",
      "route POST > /api/invoices",
      "route PUT > /api/invoices/x",
      "route GET > /jax/{k}",
    ],
  ],
  [
    "clikt and Ktor",
    "src/main/kotlin/K.kt",
    `class Hello : CliktCommand(name = "hello") { val count: Int by option("-c", "--count", help = "Number").int().default(1)
 val dryRun by option().flag()
 val mode by option(help="m").choice("a", "b").default("a") }
fun Application.m() { routing { get("/k/{id}") { } ; route("/v2") { post("/y") {} } } }
val e = System.getenv("K_E") ?: "x"`,
    [
      "flag --count = 1",
      "flag -c = 1",
      "flag --dry-run",
      'flag --mode = "a" {a|b}',
      "route GET > /k/{id}",
      'environment K_E = "x"',
    ],
  ],
  [
    "System.CommandLine",
    "src/App.cs",
    `var port = new Option<int>("--port", "-p") { Description = "The port", DefaultValueFactory = _ => 80 };
var level = new Option<string>(name: "--level", description: "lvl", getDefaultValue: () => "info").FromAmong("info", "warn");
var serve = new Command("serve", "Serves") { port };
root.AddOption(level);
var e = Environment.GetEnvironmentVariable("APP_E") ?? "x"; var f = this.environment.GetEnvironmentVariable("APP_F");
public const string TokenEnvironmentVariable = "APP_TOKEN_X";`,
    [
      "flag --port = 80",
      "flag -p = 80",
      "command serve",
      'flag --level = "info" {info|warn}',
      'environment APP_E = "x"',
      "environment APP_F",
    ],
  ],
  [
    "CommandLineParser",
    "src/Opt.cs",
    `class Options { [Option('v', "verbose", Required = false, Default = 3, HelpText = "talk")] public int Verbose { get; set; } [Option("name")] public string Name { get; set; } }
[Verb("add", HelpText = "Adds")] class AddOptions { [Option('f', "force")] public bool Force { get; set; } }`,
    ["flag --verbose = 3", "flag -v = 3", "flag --name", "flag add > --force"],
  ],
  [
    "routes of ASP.NET",
    "src/Api.cs",
    `app.MapGet("/todos/{id}", f); app.MapPost("/todos", f); [ApiController] [Route("api/[controller]")] class ItemsController { [HttpGet("{id}")] public X One() {} [HttpPost] public X Add() {} }`,
    ["route GET > /todos/{id}", "route POST > /todos"],
  ],
  [
    "settings of C#",
    "src/Conf.cs",
    `class ServerOptions { public int Port { get; set; } = 80; public string Host { get; init; } = "x"; } class C { void M(IConfiguration c) { var a = c["Server:Port"]; var b = c.GetValue<int>("Limits:Max", 5); var d = c.GetSection("Auth"); } [JsonPropertyName("max_size")] public int MaxSize { get; set; } = 3; }`,
    ["setting ServerOptions > Port = 80"],
  ],
  [
    "a shell script",
    "run.sh",
    `#!/bin/sh
PORT="\${PORT:-3000}"
: "\${HOST_X:=localhost}"
export LEVEL_X=\${LEVEL_X-info}
while [ $# -gt 0 ]; do case "$1" in
  -v|--verbose) V=1 ;;
  --out=*) OUT="\${1#*=}" ;;
  --depth) DEPTH="$2"; shift ;;
esac; done`,
    [
      "environment PORT = 3000",
      "environment HOST_X = localhost",
      "environment LEVEL_X = info",
      "flag --verbose",
      "flag -v",
      "flag --out",
      "flag --depth",
    ],
  ],
  [
    "getopt and argp",
    "main.c",
    `static struct option o[] = { {"depth", required_argument, 0, 'd'}, {"help", no_argument, NULL, 'h'}, {0,0,0,0} };
int main() { const char *p = getenv("APP_P"); if (!p) p = "80"; }
static const struct argp_option opts[] = { {"verbose", 'v', 0, 0, "Produce verbose output" }, {"output", 'o', "FILE", 0, "Output" }, { 0 } };`,
    [
      "flag --depth",
      "flag -d",
      "flag --help",
      'environment APP_P = "80"',
      "flag --verbose",
      "flag --output",
      "flag -o",
    ],
  ],
  [
    "CLI11, cxxopts, Boost and gflags",
    "main.cpp",
    `int main() { app.add_option("-p,--port", port, "The port")->default_val(80); app.add_flag("--deep", d, "deep"); auto* sub = app.add_subcommand("serve", "Serves"); sub->add_option("--host", h, "Host"); desc.add_options()("level,l", po::value<int>()->default_value(3), "lvl"); options.add_options()("f,file", "File", cxxopts::value<std::string>()->default_value("x")); DEFINE_int32(workers, 4, "How many"); ABSL_FLAG(std::string, lang, "en", "language"); program.add_argument("-c", "--color").default_value("auto").help("col"); }`,
    [
      "flag --port = 80",
      "flag -p = 80",
      "flag --deep",
      "command serve",
      "flag serve > --host",
      "flag --level = 3",
      "flag -l = 3",
      'flag --file = "x"',
      'flag --color = "auto"',
    ],
  ],
  [
    "Spectre.Console",
    "src/Settings.cs",
    'class Settings : CommandSettings { [CommandOption("-c|--count <COUNT>")] public int Count { get; set; } = 2; }',
    ["flag --count = 2", "flag -c = 2"],
  ],
  [
    "a schema written in code, and its defaults",
    "lib/rules/no-x.js",
    'module.exports = { meta: { defaultOptions: [{ allowEmpty: false }], schema: [{ type: "object", properties: { allowEmpty: { type: "boolean" }, max: { type: "integer", default: 4 }, style: { enum: ["a", "b"] } } }] } };',
    ["setting no-x > allowEmpty = false", "setting no-x > max = 4", "setting no-x > style {a|b}"],
  ],
  [
    "defaults that a program ships as a file",
    "app/default_config.cfg",
    "[core]\n# How long a line may be\nmax_line_length = 80\n",
    ["setting core > max_line_length = 80"],
  ],
  [
    "a makefile that others include",
    "mk/common.mk",
    "PORT ?= 3000\nfmt lint: deps\n\tgofmt\n",
    ["script fmt = deps", "script lint = deps", "environment PORT = 3000"],
  ],
  [
    "invoke",
    "tasks.py",
    'from invoke import task\n@task\ndef clean_all(c): ...\n@task(name="deploy-it")\ndef deploy(c): ...\n',
    ["script clean-all", "script deploy-it"],
  ],
])("%s", async (_, path, text, expected) => {
  const things = (await readSurface(path, text)).map(print);
  expect(things).toEqual(expect.arrayContaining(expected));
});
