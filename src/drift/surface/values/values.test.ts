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
  ])("%s", async (_, path, text, expected) => {
    expect(await valuesOf(path, text, ["setting"])).toEqual(expected);
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
