import { describe, expect, test } from "vitest";
import { readSurface } from "../read-surface.ts";
import type { Thing } from "../thing.ts";

/** `kind owner > name = value` of the things that have a value, of the kinds asked for. */
async function valuesOf(path: string, text: string, kinds: readonly string[]): Promise<string[]> {
  const things = await readSurface(path, text);
  return things.filter(({ kind }) => kinds.includes(kind)).map(print);
}

function print({ id, kind, value }: Thing): string {
  return `${id.slice(kind.length + 1)}${value === undefined ? "" : ` = ${value}`}`;
}

describe("the default of an environment variable", () => {
  test.each<[string, string, string, string]>([
    ["behind ??", "a.ts", "const p = process.env.PORT ?? 3000;", "PORT = 3000"],
    ["behind || and a conversion", "a.ts", "const p = Number(process.env.PORT) || 3000;", "PORT = 3000"],
    ["in a conditional", "a.ts", "const p = process.env.PORT ? +process.env.PORT : 3000;", "PORT = 3000"],
    ["in a destructured pattern", "a.ts", 'const { HOST = "x" } = process.env;', 'HOST = "x"'],
    [
      "by a constant of the file",
      "a.ts",
      "const DEFAULT_PORT = 5 * 60;\nconst p = parseInt(process.env.PORT || DEFAULT_PORT, 10);",
      "PORT = 5 * 60",
    ],
    [
      "by a constant of another file",
      "a.ts",
      "const p = process.env.PORT ?? DEFAULT_PORT;",
      "PORT = DEFAULT_PORT",
    ],
    ["as the second argument", "a.py", 'p = int(os.getenv("PORT", "30"))', 'PORT = "30"'],
    ["behind or", "a.py", 'p = os.environ.get("PORT") or "30"', 'PORT = "30"'],
    ["as a keyword", "a.py", 'p = env.int("PORT", default=5)', "PORT = 5"],
    ["of a library that reads settings", "a.py", 'p = config("PORT", default=5, cast=int)', "PORT = 5"],
    [
      "in Go, where the variable is empty",
      "a.go",
      'package a\nfunc f() {\n\tp := os.Getenv("PORT")\n\tif p == "" {\n\t\tp = "80"\n\t}\n}',
      'PORT = "80"',
    ],
    [
      "in Go, where the variable is missing",
      "a.go",
      'package a\nfunc f() {\n\tp, ok := os.LookupEnv("PORT")\n\tif !ok {\n\t\tp = "80"\n\t}\n}',
      'PORT = "80"',
    ],
    [
      "in Go, the first that is set",
      "a.go",
      'package a\nvar p = cmp.Or(os.Getenv("PORT"), "80")',
      'PORT = "80"',
    ],
    ["in Go, by a helper", "a.go", 'package a\nvar p = envOr("PORT", 80)', "PORT = 80"],
    ["in Rust", "a.rs", 'fn f() { env::var("PORT").unwrap_or("80".to_string()); }', 'PORT = "80"'],
    [
      "in Rust, by a closure",
      "a.rs",
      'fn f() { env::var("PORT").unwrap_or_else(|_| "80".into()); }',
      'PORT = "80"',
    ],
    [
      "in Rust, after parsing",
      "a.rs",
      'fn f() { env::var("N_N").ok().and_then(|v| v.parse().ok()).unwrap_or(4); }',
      "N_N = 4",
    ],
    ["in Ruby", "a.rb", 'P = ENV.fetch("PORT", 3000)', "PORT = 3000"],
    ["in Ruby, by a block", "a.rb", 'P = ENV.fetch("PORT") { 3000 }', "PORT = 3000"],
    [
      "in Java",
      "A.java",
      'class A { String p = System.getenv().getOrDefault("PORT", "80"); }',
      'PORT = "80"',
    ],
    [
      "in Java, optional",
      "A.java",
      'class A { String p = Optional.ofNullable(System.getenv("PORT")).orElse("80"); }',
      'PORT = "80"',
    ],
    ["in Kotlin, converted", "a.kt", 'val p = System.getenv("PORT")?.toInt() ?: 8080', "PORT = 8080"],
    [
      "in C#",
      "A.cs",
      'class A { string p = Environment.GetEnvironmentVariable("PORT") ?? "80"; }',
      'PORT = "80"',
    ],
    ["in PHP, with a cast", "config/a.php", "<?php return ['p' => (int) env('PORT', 25)];", "PORT = 25"],
    ["in PHP", "a.php", "<?php $p = getenv('PORT') ?: '80';", "PORT = '80'"],
    ["in a shell", "run.sh", `P="\${PORT:-3000}"`, "PORT = 3000"],
    ["in a shell, assigned", "run.sh", `: "\${PORT:=3000}"`, "PORT = 3000"],
    ["in a shell, where it is empty", "run.sh", 'if [ -z "$PORT" ]; then\n  PORT=3000\nfi', "PORT = 3000"],
    ["in C", "a.c", 'int f() { const char *p = getenv("PORT"); if (!p) p = "80"; }', 'PORT = "80"'],
    ["a condition that is no fallback", "a.ts", "if (process.env.DEBUG_X && x) go(3);", "DEBUG_X"],
    [
      "another check",
      "a.go",
      'package a\nfunc f() {\n\tp := os.Getenv("P_T")\n\tif q == "" {\n\t\tq = "80"\n\t}\n}',
      "P_T",
    ],
  ])("%s", async (_, path, text, expected) => {
    expect(await valuesOf(path, text, ["environment"])).toEqual([expected]);
  });
});

describe("the default of a setting", () => {
  test.each<[string, string, string, string[]]>([
    [
      "belongs to the key of the type that is read",
      "src/cache.ts",
      `export interface CacheOptions { ttl?: number; size?: number }
export interface OtherOptions { ttl?: number }
const DEFAULT_TTL = 60 * 1000;
export class Cache {
  constructor(options: CacheOptions = {}) { this.ttl = options.ttl ?? DEFAULT_TTL; this.size = options.size || 500; }
}
export function other(opts: Partial<OtherOptions>) { const { ttl = 9 } = opts; }`,
      [
        "CacheOptions > ttl = 60 * 1000",
        "CacheOptions > size = 500",
        "OtherOptions > ttl = 9",
        "DEFAULT_TTL = 60 * 1000",
      ],
    ],
    [
      "is read from the object's own options",
      "src/pool.ts",
      `export interface PoolOptions { size?: number; retry?: { limit?: number } }
export class Pool {
  private readonly options: PoolOptions;
  open() { return this.options.size === undefined ? 4 : this.options.size; }
  again() { return this.options.retry?.limit ?? 2; }
}`,
      ["PoolOptions > size = 4", "PoolOptions > retry", "PoolOptions > retry > limit = 2"],
    ],
    [
      "stands in a table of the type",
      "src/serve.ts",
      'export type ServeOptions = { port?: number; mode?: "a" | "b" };\nconst defaults: Required<ServeOptions> = { port: 3000, mode: "a" };',
      ["ServeOptions > port = 3000", 'ServeOptions > mode = "a"'],
    ],
    [
      "stands in the pattern of a typed parameter",
      "src/get.ts",
      "export interface GetOptions { retries?: number }\nexport function get(url: string, { retries = 3 }: GetOptions = {}) {}",
      ["GetOptions > retries = 3"],
    ],
    [
      "is assigned where the option is missing",
      "src/slug.js",
      "function slug(text, options) { if (options.lower == null) options.lower = true; }",
      ["lower = true"],
    ],
    [
      "has two values if two places differ",
      "src/two.js",
      "function a(options) { return options.depth ?? 1; }\nfunction b(options) { return options.depth ?? 2; }",
      ["depth = 1", "depth = 2"],
    ],
    [
      "is a field of a class of settings, also under its name in the environment",
      "pkg/settings.py",
      `DEFAULT_TIMEOUT = 30
class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="HIVE_")
    workers: int = Field(default=4, ge=1, le=100)
    timeout: float = DEFAULT_TIMEOUT
`,
      [
        "DEFAULT_TIMEOUT = 30",
        "Settings > workers = 4",
        "Settings > timeout = 30",
        "HIVE_WORKERS = 4",
        "HIVE_TIMEOUT = 30",
      ],
    ],
    [
      "is given to the makers of fields",
      "pkg/model.py",
      `@dataclass
class ServerConfig:
    size: int = field(default=10)
    tags: list = field(default_factory=list)
@attrs.define
class JobOptions:
    depth: int = attrs.field(default=3)
`,
      ["ServerConfig > size = 10", "ServerConfig > tags", "JobOptions > depth = 3"],
    ],
    [
      "of a module of settings and of tables",
      "pkg/conf.py",
      'T = getattr(settings, "APP_TIMEOUT", 30)\nDEFAULTS = {"PAGE_SIZE": 20}\ndefault_config = dict(port=80)\n',
      ["DEFAULTS > PAGE_SIZE = 20", "APP_TIMEOUT = 30", "default_config > port = 80"],
    ],
    [
      "in Rust: implementations of Default and functions of serde",
      "src/config.rs",
      `const PORT: u16 = 8080;
#[derive(Deserialize)]
pub struct Config {
    #[serde(default = "default_port")]
    pub port: u16,
    pub timeout: Duration,
    pub host: String,
}
fn default_port() -> u16 { PORT }
impl Default for Config {
    fn default() -> Self { Self { port: 1, timeout: Duration::from_secs(30), host: "localhost".to_string() } }
}`,
      ["Config > port = 8080", "Config > timeout = Duration::from_secs(30)", 'Config > host = "localhost"'],
    ],
    [
      "in Go: tags, constructors and checks for empty fields",
      "pkg/config.go",
      `package config
const DefaultPort = 8080
type Config struct {
	Port int \`yaml:"port"\`
	Level string \`toml:"level" default:"info"\`
	Timeout time.Duration \`json:"timeout"\`
	Name string \`mapstructure:"name"\`
}
func DefaultConfig() *Config { return &Config{Port: DefaultPort, Timeout: 30 * time.Second} }
func (c *Config) SetDefaults() {
	if c.Name == "" {
		c.Name = "x"
	}
}`,
      [
        "Config > port = 8080",
        "Config > level = info",
        "Config > timeout = 30 * time.Second",
        'Config > name = "x"',
      ],
    ],
    [
      "in Java: properties with a prefix",
      "src/main/java/Mail.java",
      `@ConfigurationProperties(prefix = "app.mail")
public class Mail {
    private static final int SIZE = 50;
    private int batchSize = SIZE;
    private Duration timeout = Duration.ofSeconds(30);
}`,
      [
        "Mail > batchSize = 50",
        "Mail > timeout = Duration.ofSeconds(30)",
        "app.mail.batch-size = 50",
        "app.mail.timeout = Duration.ofSeconds(30)",
      ],
    ],
    [
      "in Kotlin: properties of a data class",
      "src/main/kotlin/App.kt",
      '@ConfigurationProperties("app")\ndata class App(val maxSize: Int = 8080)\n',
      ["App > maxSize = 8080", "app.max-size = 8080"],
    ],
    [
      "in C#: initialisers and attributes",
      "src/MailOptions.cs",
      `namespace N;
public class MailOptions {
  public const int DefaultRetries = 3;
  public int Retries { get; set; } = DefaultRetries;
  [DefaultValue(50)]
  public int Size { get; set; }
}`,
      ["MailOptions > Retries = 3", "MailOptions > Size = 50"],
    ],
    [
      "in PHP: files of configuration and arrays of options",
      "config/harvest.php",
      "<?php\nreturn [\n  'per_page' => (int) env('PER_PAGE', 15),\n  'mail' => ['from' => 'a@b'],\n];\n",
      ["harvest > per_page = 15", "harvest > mail > from = 'a@b'", "PER_PAGE = 15"],
    ],
    [
      "in C: the fields of an initialiser",
      "src/config.c",
      'static const struct config defaults = { .port = 8080, .host = "x" };\n',
      ["config > port = 8080", 'config > host = "x"'],
    ],
  ])("%s", async (_, path, text, expected) => {
    expect(await valuesOf(path, text, ["setting", "environment"])).toEqual(expected);
  });
});

test("a union of literals lists the choices of its key", async () => {
  const things = await readSurface(
    "a.ts",
    'export interface AOptions { mode?: "a" | "b"; size?: 1 | 2; name: string }',
  );
  const choices = things.flatMap(({ name, choices }) => (choices ? [[name, choices]] : []));
  expect(choices).toEqual([
    ["mode", ["a", "b"]],
    ["size", ["1", "2"]],
  ]);
});

test("a parameter has the value of the constant that it names", async () => {
  const python = await readSurface("a.py", "TIMEOUT = 30\ndef get(url, timeout=TIMEOUT): ...\n");
  expect(python.find(({ name }) => name === "get")?.parameters?.[1]?.default).toBe("30");
  const ruby = await readSurface(
    "a.rb",
    "class C\n  TIMEOUT = 30\n  def initialize(timeout: TIMEOUT); end\nend\n",
  );
  expect(ruby.find(({ name }) => name === "C")?.parameters?.[0]?.default).toBe("30");
});

test.each<[string, string, string, unknown]>([
  [
    "a validator",
    "a.ts",
    "export const schema = z.object({ port: z.number().min(1).max(65535) });",
    { least: "1", most: "65535" },
  ],
  ["a field", "a.py", "class S(BaseModel):\n    port: int = Field(80, le=100)\n", { most: "100" }],
  [
    "an attribute",
    "A.cs",
    "public class AOptions {\n  [Range(1, 100)]\n  public int Port { get; set; }\n}",
    { least: "1", most: "100" },
  ],
  [
    "an annotation",
    "A.java",
    "public class AProperties {\n  @Max(100)\n  public int port;\n}",
    { most: "100" },
  ],
])("the limits that %s writes are limits of its key", async (_, path, text, limits) => {
  const port = (await readSurface(path, text)).find(({ name }) => name.toLowerCase() === "port");
  expect(port?.limits).toEqual(limits);
});

test("a member of an enumeration has the value that the code gives it", async () => {
  const things = await readSurface("a.py", 'class Status(Enum):\n    DONE = "done"\n    OPEN = 2\n');
  expect(things.filter(({ kind }) => kind === "enum-value").map(print)).toEqual([
    'Status > DONE = "done"',
    "Status > OPEN = 2",
  ]);
});

test.each<[string, string, string, string[]]>([
  [
    "what a caller passes",
    "pkg/new.go",
    "package a\ntype Options struct {\n\tIO int\n\tSize int\n\tName string\n}\nfunc New(f Factory, name string) Options { return Options{IO: f.Streams, Size: 3, Name: name} }\n",
    ["Options > IO", "Options > Size = 3", "Options > Name"],
  ],
  ["a tuple", "pkg/a.py", "class A:\n    names = 'a', 'b'\n", ["A > names"]],
  ["an object of functions", "src/a.js", "module.exports.utils = { freeze };\n", ["utils", "utils > freeze"]],
  ["a difference of names", "pkg/b.py", "class A:\n    diff = self.ALL - self.SOME\n", ["A > diff"]],
  [
    "the name of a variable",
    "src/c.ts",
    "export function f(options: O) { return options.meta || given; }\n",
    ["f"],
  ],
])("%s is no default", async (_, path, text, expected) => {
  const things = await readSurface(path, text);
  const shown = things.filter(
    ({ kind, name }) => kind !== "package" && !["A", "New", "Options"].includes(name),
  );
  expect(shown.map(print)).toEqual(expected);
});

test("a list that is a default lists no choices", async () => {
  const things = await readSurface(
    "a.js",
    'const defaults = { protocols: ["http", "https"] };\nmodule.exports = { defaults };\n',
  );
  expect(things.find(({ name }) => name === "protocols")).toMatchObject({ value: '["http", "https"]' });
  expect(things.some(({ choices }) => choices)).toBe(false);
});

test("another name of a type is the type", async () => {
  const things = await readSurface(
    "a.ts",
    "type Glob = string;\nexport interface AOptions { exclude?: Glob }",
  );
  expect(things.find(({ name }) => name === "exclude")?.type).toBe("string");
});

test.each([
  [
    "a field of Java that a method of its name sets",
    "src/main/java/org/example/Retry.java",
    "public class Retry {\n  private int attempts = 3;\n  public Retry attempts(int attempts) { this.attempts = attempts; return this; }\n}\n",
    "Retry > attempts = 3",
  ],
  [
    "a field of Go whose method returns it or a constant",
    "a.go",
    "package a\n\ntype Client struct {\n\tRetries int\n}\n\nfunc (c *Client) retries() int {\n\tif c.Retries == 0 {\n\t\treturn 3\n\t}\n\treturn c.Retries\n}\n",
    "Client > Retries = 3",
  ],
])("%s has its value", async (_, path, text, expected) => {
  expect(await valuesOf(path, text, ["member"])).toContain(expected);
});
