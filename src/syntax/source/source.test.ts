import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureAsyncWork } from "../../../test/work.ts";
import { contain } from "../../text/model/region.ts";
import type { Declaration } from "./declaration.ts";
import { outlineSource, sourceLanguage } from "./source.ts";

/** A declaration on one line: visibility, kind, path, (parameters), returns, type, value, tag, doc | signature. */
function sketch(
  { visibility, kind, path, parameters, doc, signature, ...rest }: Declaration,
  text: string,
): string {
  const part = (label: string, words: string | undefined) =>
    words === undefined ? "" : ` ${label} ${words}`;
  const list = parameters?.map(
    (each) =>
      `${each.rest ? "..." : ""}${each.name}${each.optional ? "?" : ""}${each.type ? `: ${each.type}` : ""}${part("=", each.default)}`,
  );
  return [
    `${visibility} ${kind} ${path.join(".")}`,
    list ? ` (${list.join(", ")})` : "",
    part("returns", rest.returns),
    part("type", rest.type),
    part("value", rest.value),
    part("tag", rest.tag),
    part("doc", doc && text.slice(doc.start, doc.end)),
    ` | ${text.slice(signature.start, signature.end)}`,
  ].join("");
}

const SOURCES: [string, string, string[], string[]][] = [
  [
    "TypeScript: classes and their members",
    "a.ts",
    [
      "/** Foo doc. */",
      "export class Foo<T> extends Bar implements Baz {",
      "  /** How many. */",
      "  private x: number = 3;",
      '  static readonly K = "k";',
      "  #secret = 1;",
      "  constructor(readonly a = 1, private b?: string) { super(); }",
      "  @deco() async bar<U>(z: Map<string, U>, { q = 2, r }: Opts = {}, ...rest: string[]): Promise<number> { return 1 }",
      "  get size(): number { return 0 }",
      "}",
    ],
    [
      "public class Foo doc /** Foo doc. */ | export class Foo<T> extends Bar implements Baz",
      "private property Foo.x type number value 3 doc /** How many. */ | private x: number = 3",
      'public property Foo.K value "k" | static readonly K = "k"',
      "private property Foo.#secret value 1 | #secret = 1",
      "public method Foo.constructor (a? = 1, b?: string) | constructor(readonly a = 1, private b?: string)",
      "public property Foo.a value 1 | readonly a = 1",
      "private property Foo.b type string | private b?: string",
      "public method Foo.bar (z: Map<string, U>, { q = 2, r }?: Opts = {}, ...rest: string[]) returns Promise<number> | async bar<U>(z: Map<string, U>, { q = 2, r }: Opts = {}, ...rest: string[]): Promise<number>",
      "public property Foo.bar.q value 2 | q = 2",
      "public property Foo.bar.r | r",
      "public method Foo.size () returns number | get size(): number",
    ],
  ],
  [
    "TypeScript: types, unions, interfaces, enums",
    "a.ts",
    [
      "export type Level = \"debug\" | 'info' | number;",
      "export type Opts = { port?: number; nested: { deep: 1 } } & Other;",
      "interface Inner { a: string; b?(x: number): void }",
      'export enum Color { Red = 1, Green = "g", Blue }',
      'export const LEVELS = ["a", "b"] as const;',
    ],
    [
      "public type Level value \"debug\" | 'info' | number | export type Level = \"debug\" | 'info' | number",
      'public member Level.debug value "debug" | "debug"',
      "public member Level.info value 'info' | 'info'",
      "public type Opts value { port?: number; nested: { deep: 1 } } & Other | export type Opts = { port?: number; nested: { deep: 1 } } & Other",
      "public property Opts.port type number | port?: number",
      "public property Opts.nested type { deep: 1 } | nested: { deep: 1 }",
      "public property Opts.nested.deep type 1 | deep: 1",
      "private interface Inner | interface Inner",
      "private property Inner.a type string | a: string",
      "private method Inner.b (x: number) returns void | b?(x: number): void",
      "public enum Color | export enum Color",
      "public member Color.Red value 1 | Red = 1",
      'public member Color.Green value "g" | Green = "g"',
      "public member Color.Blue | Blue",
      'public constant LEVELS value ["a", "b"] as const | export const LEVELS = ["a", "b"] as const',
      'public member LEVELS.a value "a" | "a"',
      'public member LEVELS.b value "b" | "b"',
    ],
  ],
  [
    "TypeScript: functions, overloads, exports by list, namespaces",
    "a.ts",
    [
      "export function over(a: string): void;",
      "export function over(a: any) { function inner() {} }",
      "export const arrow = async (a: string, b = 2): Promise<void> => {};",
      "const hidden = 1, shown = 2;",
      "export { shown as renamed };",
      "declare function ambient(a: string): void;",
      "export declare const offered: Saw;",
      "namespace N { export const inner = 1; }",
      'export default { name: "x", run() {} };',
      "export const schema = z.object({ port: z.number().default(3000) });",
    ],
    [
      "public function over (a: string) returns void | export function over(a: string): void",
      "public function over (a: any) | export function over(a: any)",
      "private function over.inner () | function inner()",
      "public function arrow (a: string, b? = 2) returns Promise<void> | export const arrow = async (a: string, b = 2): Promise<void> =>",
      "private constant hidden value 1 | hidden = 1",
      "public constant shown value 2 | shown = 2",
      "private function ambient (a: string) returns void | declare function ambient(a: string): void",
      "public constant offered type Saw | export declare const offered: Saw",
      "private module N | namespace N",
      "private constant N.inner value 1 | export const inner = 1",
      'public constant default value { name: "x", run() {} } | export default { name: "x", run() {} }',
      'public property default.name value "x" | name: "x"',
      "public method default.run () | run()",
      "public constant schema value z.object({ port: z.number().default(3000) }) | export const schema = z.object({ port: z.number().default(3000) })",
      "public property schema.port value z.number().default(3000) | port: z.number().default(3000)",
    ],
  ],
  [
    "JavaScript: CommonJS and prototypes",
    "a.cjs",
    [
      "class A { x = 1; static async y(a, b = 2, ...c) {} 'quoted'() {} }",
      "function f({ a = 1, b: { c } = {} } = {}) {}",
      "function unseen() {}",
      "module.exports = { A, f, g: function (x) {}, h: 3 };",
      "exports.foo = x => x;",
      "A.prototype.late = function (a) {};",
    ],
    [
      "public class A | class A",
      "public property A.x value 1 | x = 1",
      "public method A.y (a, b? = 2, ...c) | static async y(a, b = 2, ...c)",
      "public method A.quoted () | 'quoted'()",
      "public function f ({ a = 1, b: { c } = {} }? = {}) | function f({ a = 1, b: { c } = {} } = {})",
      "public property f.a value 1 | a = 1",
      "public property f.b value {} | b: { c } = {}",
      "private function unseen () | function unseen()",
      "public method g (x) | g: function (x)",
      "public property h value 3 | h: 3",
      "public function foo (x) | exports.foo = x =>",
      "public method A.late (a) | A.prototype.late = function (a)",
    ],
  ],
  [
    "TSX",
    "a.tsx",
    ['export function Button({ label = "ok", ...rest }: Props) { return <b title={`x`}>{label}</b> }'],
    [
      'public function Button ({ label = "ok", ...rest }: Props) | export function Button({ label = "ok", ...rest }: Props)',
      'public property Button.label value "ok" | label = "ok"',
    ],
  ],
  [
    "Python: classes, attributes, docstrings",
    "a.py",
    [
      '"""Module doc."""',
      "TIMEOUT: int = 30",
      "class Foo(Base):",
      '    """Class doc."""',
      '    attr: str = "x"',
      "    def __init__(self, a, b: int = 2, *args: str, kw: bool = True, **kwargs) -> None:",
      '        """Init doc."""',
      "        self.timeout: int = 30",
      "        self._p = 1",
      "    @property",
      '    def prop(self) -> str: return "x"',
      "    def _hidden(self, /, q, *, r=None): pass",
      "class Color(Enum):",
      "    RED = 1",
      "@decorator(1)",
      "def bar(a=1):",
      "    def inner(): pass",
    ],
    [
      "public constant TIMEOUT type int value 30 | TIMEOUT: int = 30",
      'public class Foo doc """Class doc.""" | class Foo(Base)',
      'public property Foo.attr type str value "x" | attr: str = "x"',
      'public method Foo.__init__ (a, b?: int = 2, ...args: str, kw?: bool = True, ...kwargs) returns None doc """Init doc.""" | def __init__(self, a, b: int = 2, *args: str, kw: bool = True, **kwargs) -> None',
      "public property Foo.timeout type int value 30 | self.timeout: int = 30",
      "private property Foo._p value 1 | self._p = 1",
      "public method Foo.prop () returns str | def prop(self) -> str",
      "private method Foo._hidden (q, r? = None) | def _hidden(self, /, q, *, r=None)",
      "public enum Color | class Color(Enum)",
      "public member Color.RED value 1 | RED = 1",
      "public function bar (a? = 1) | def bar(a=1)",
      "private function bar.inner () | def inner()",
    ],
  ],
  [
    "Python: __all__ decides, also over names under conditions",
    "a.py",
    [
      "__all__ = [\"shown\", 'Level']",
      "def shown(): ...",
      "def other(): ...",
      'Level = Literal["a", "b"]',
      "type Alias = int | str",
      "if TYPE_CHECKING:",
      "    def cond(): pass",
      'OPTS = {"key": 1, "b": {"c": 2}}',
      "A = B = 3",
    ],
    [
      "public function shown () | def shown()",
      "private function other () | def other()",
      'public variable Level value Literal["a", "b"] | Level = Literal["a", "b"]',
      'public member Level.a value "a" | "a"',
      'public member Level.b value "b" | "b"',
      "private type Alias value int | str | type Alias = int | str",
      "private function cond () | def cond()",
      'private constant OPTS value {"key": 1, "b": {"c": 2}} | OPTS = {"key": 1, "b": {"c": 2}}',
      'private property OPTS.key value 1 | "key": 1',
      'private property OPTS.b value {"c": 2} | "b": {"c": 2}',
      'private property OPTS.b.c value 2 | "c": 2',
      "private constant A value 3 | A = B = 3",
      "private constant B value 3 | A = B = 3",
    ],
  ],
  [
    "Go",
    "a.go",
    [
      "package foo",
      "",
      "// Timeout is how long.",
      "const Timeout = 30 * time.Second",
      "",
      "const (",
      "\t// A doc.",
      "\tA Kind = iota",
      "\tb",
      ")",
      "",
      "// Config holds.",
      "type Config struct {",
      "\t// Port doc.",
      '\tPort int `yaml:"port" default:"80"`',
      "\tHost, alt string",
      "}",
      "",
      "type Kind int",
      "type Reader interface {",
      "\tRead(p []byte) (n int, err error)",
      "}",
      "",
      "// New makes one.",
      "func New(addr string, a, b int, opts ...Option) (*Config, error) { return nil, nil }",
      "func (c *Config) Run(ctx context.Context) error { return nil }",
      "func (c gen[T]) Hidden() {}",
    ],
    [
      "public constant Timeout value 30 * time.Second doc // Timeout is how long. | const Timeout = 30 * time.Second",
      "public constant A type Kind value iota doc // A doc. | A Kind = iota",
      "private constant b | b",
      "public struct Config doc // Config holds. | type Config struct",
      'public property Config.Port type int tag `yaml:"port" default:"80"` doc // Port doc. | Port int `yaml:"port" default:"80"`',
      "public property Config.Host type string | Host, alt string",
      "private property Config.alt type string | Host, alt string",
      "public type Kind value int | type Kind int",
      "public interface Reader | type Reader interface",
      "public method Reader.Read (p: []byte) returns (n int, err error) | Read(p []byte) (n int, err error)",
      "public function New (addr: string, a: int, b: int, ...opts: Option) returns (*Config, error) doc // New makes one. | func New(addr string, a, b int, opts ...Option) (*Config, error)",
      "public method Config.Run (ctx: context.Context) returns error | func (c *Config) Run(ctx context.Context) error",
      "private method gen.Hidden () | func (c gen[T]) Hidden()",
    ],
  ],
  [
    "Rust",
    "a.rs",
    [
      "/// Foo doc.",
      "#[derive(Debug)]",
      "pub struct Foo<T> {",
      "    /// Port doc.",
      '    #[arg(long, default_value = "80")]',
      "    pub port: u16,",
      "    host: String,",
      "}",
      "pub enum E { A, B(i32), C { x: u8 }, D = 4 }",
      "pub trait Tr: Sup { const K: u8 = 1; fn m(&self, a: i32) -> String; }",
      "impl<T> Foo<T> {",
      "    /// New doc.",
      "    pub async fn new(a: &str, mut b: Option<i32>) -> Result<Self, Error> { todo!() }",
      "    fn private(&mut self) {}",
      "}",
      "impl Display for Foo<T> { fn fmt(&self) -> R {} }",
      "pub(crate) fn helper() {}",
      "pub const LIMIT: u32 = 5;",
      "pub type Al<T> = Vec<T>;",
      "mod inner { pub fn deep() {} }",
      "macro_rules! mac { () => {} }",
    ],
    [
      "public struct Foo doc /// Foo doc. | pub struct Foo<T>",
      "public property Foo.port type u16 doc /// Port doc. | pub port: u16",
      "private property Foo.host type String | host: String",
      "public enum E | pub enum E",
      "public member E.A | A",
      "public member E.B | B(i32)",
      "public member E.C | C { x: u8 }",
      "public property E.C.x type u8 | x: u8",
      "public member E.D value 4 | D = 4",
      "public trait Tr | pub trait Tr: Sup",
      "public constant Tr.K type u8 value 1 | const K: u8 = 1",
      "public method Tr.m (a: i32) returns String | fn m(&self, a: i32) -> String",
      "public method Foo.new (a: &str, b: Option<i32>) returns Result<Self, Error> doc /// New doc. | pub async fn new(a: &str, mut b: Option<i32>) -> Result<Self, Error>",
      "private method Foo.private () | fn private(&mut self)",
      "unknown method Foo.fmt () returns R | fn fmt(&self) -> R",
      "private function helper () | pub(crate) fn helper()",
      "public constant LIMIT type u32 value 5 | pub const LIMIT: u32 = 5",
      "public type Al value Vec<T> | pub type Al<T> = Vec<T>",
      "private module inner | mod inner",
      "private function inner.deep () | pub fn deep()",
      "unknown macro mac | macro_rules! mac",
    ],
  ],
  [
    "Java",
    "a.java",
    [
      "/** Foo doc. */",
      "@Entity",
      "public class Foo<T> extends Bar {",
      "  public static final int K = 3;",
      '  @Option(names = "-v") boolean verbose;',
      "  public Foo(int a, String... rest) { }",
      "  /** bar doc. */",
      "  @Override protected <R> List<R> bar(final Map<String, R> z) throws IOException { return null; }",
      "  public enum E { A(1), B; private int v; }",
      "  public record P(int x) { }",
      "}",
      'interface I { int m(int a); String C = "c"; }',
      'public @interface Ann { String value() default "x"; }',
    ],
    [
      "public class Foo doc /** Foo doc. */ | public class Foo<T> extends Bar",
      "public constant Foo.K type int value 3 | public static final int K = 3",
      "private property Foo.verbose type boolean | boolean verbose",
      "public method Foo.Foo (a: int, ...rest: String) | public Foo(int a, String... rest)",
      "unknown method Foo.bar (z: Map<String, R>) returns List<R> doc /** bar doc. */ | protected <R> List<R> bar(final Map<String, R> z) throws IOException",
      "public enum Foo.E | public enum E",
      "public member Foo.E.A value (1) | A(1)",
      "public member Foo.E.B | B",
      "private property Foo.E.v type int | private int v",
      "public class Foo.P (x: int) | public record P(int x)",
      "public property Foo.P.x type int | int x",
      "private interface I | interface I",
      "private method I.m (a: int) returns int | int m(int a)",
      'private constant I.C type String value "c" | String C = "c"',
      "public interface Ann | public @interface Ann",
      'public method Ann.value returns String value "x" | String value() default "x"',
    ],
  ],
  [
    "C",
    "a.c",
    [
      "#define MAX 10",
      "#define SQ(x) ((x)*(x))",
      "/** Doc. */",
      "typedef struct foo { int a; char *b; } foo_t;",
      "enum color { RED = 1, GREEN };",
      "int bar(const char *s, int n, ...);",
      "static int hidden(void) { return 0; }",
      'const char *name = "x";',
      "typedef int (*cb)(int);",
      "#ifdef A",
      "int cond(int a);",
      "#endif",
    ],
    [
      "public constant MAX value 10 | #define MAX 10",
      "public macro SQ (x) value ((x)*(x)) | #define SQ(x) ((x)*(x))",
      "public struct foo_t doc /** Doc. */ | typedef struct foo",
      "public property foo_t.a type int | int a",
      "public property foo_t.b type char * | char *b",
      "public enum color | enum color",
      "public member color.RED value 1 | RED = 1",
      "public member color.GREEN | GREEN",
      "public function bar (s: const char *, n: int, ......) returns int | int bar(const char *s, int n, ...)",
      "private function hidden () returns int | static int hidden(void)",
      'public constant name type const char * value "x" | const char *name = "x"',
      "public type cb value int | typedef int (*cb)(int)",
      "public function cond (a: int) returns int | int cond(int a)",
    ],
  ],
  [
    "C++",
    "a.hpp",
    [
      "namespace a::b {",
      "/// Doc.",
      "template <typename T> class Foo : public Bar<T> {",
      " public:",
      '  explicit Foo(int a = 3, const std::string& s = "x");',
      "  virtual int bar(const std::string& z) const override { return 1; }",
      "  static constexpr int K = 4;",
      " protected:",
      "  void prot();",
      " private:",
      "  int x_ = 4;",
      "};",
      "enum class E : int { A = 1, B };",
      "using Alias = std::vector<int>;",
      "}",
      "namespace { int unseen(); }",
      "int Foo::out(int z) { return 0; }",
      "inline constexpr int LIMIT = 5;",
    ],
    [
      "public module a.b | namespace a::b",
      "public class a.b.Foo doc /// Doc. | template <typename T> class Foo : public Bar<T>",
      'public method a.b.Foo.Foo (a?: int = 3, s?: const std::string& = "x") | explicit Foo(int a = 3, const std::string& s = "x")',
      "public method a.b.Foo.bar (z: const std::string&) returns int | virtual int bar(const std::string& z) const override",
      "public property a.b.Foo.K type constexpr int value 4 | static constexpr int K = 4",
      "unknown method a.b.Foo.prot () returns void | void prot()",
      "private property a.b.Foo.x_ type int value 4 | int x_ = 4",
      "public enum a.b.E | enum class E : int",
      "public member a.b.E.A value 1 | A = 1",
      "public member a.b.E.B | B",
      "public type a.b.Alias value std::vector<int> | using Alias = std::vector<int>",
      "private function unseen () returns int | int unseen()",
      "public method Foo.out (z: int) returns int | int Foo::out(int z)",
      "public constant LIMIT type constexpr int value 5 | inline constexpr int LIMIT = 5",
    ],
  ],
  [
    "C#",
    "a.cs",
    [
      "namespace A.B;",
      "/// <summary>Doc</summary>",
      "[Serializable]",
      "public class Foo<T> : Bar where T : new() {",
      "  public const int K = 3;",
      '  private readonly string _n = "x";',
      '  public string Name { get; set; } = "d";',
      "  public Foo(int a = 1, params string[] rest) { }",
      "  [Obs] public async Task<int> Bar(string z, int? q = null) { return 1; }",
      "  internal void Hid() {}",
      "  public enum Color { Red = 1, Green }",
      "}",
      "public record P(int X);",
      "public interface I { int M(int a); }",
    ],
    [
      "public class Foo doc /// <summary>Doc</summary> | public class Foo<T> : Bar where T : new()",
      "public constant Foo.K type int value 3 | public const int K = 3",
      'private property Foo._n type string value "x" | private readonly string _n = "x"',
      'public property Foo.Name type string value "d" | public string Name',
      "public method Foo.Foo (a?: int = 1, ...rest: string[]) | public Foo(int a = 1, params string[] rest)",
      "public method Foo.Bar (z: string, q?: int? = null) returns Task<int> | public async Task<int> Bar(string z, int? q = null)",
      "private method Foo.Hid () returns void | internal void Hid()",
      "public enum Foo.Color | public enum Color",
      "public member Foo.Color.Red value 1 | Red = 1",
      "public member Foo.Color.Green | Green",
      "public class P (X: int) | public record P(int X)",
      "public property P.X type int | int X",
      "public interface I | public interface I",
      "public method I.M (a: int) returns int | int M(int a)",
    ],
  ],
  [
    "Ruby",
    "a.rb",
    [
      "module A",
      '  VERSION = "1.0"',
      "  # Foo doc.",
      "  # More.",
      "  class Foo < Bar",
      "    K = %w[a b].freeze",
      "    attr_reader :x, :y",
      "    def bar(a, b = 2, *c, d:, e: 4, **f, &g)",
      "    end",
      "    def self.build(opts = {}) = new",
      "    private",
      "    def hidden; end",
      "    class << self",
      "      def sing; end",
      "    end",
      "  end",
      "  Point = Struct.new(:x)",
      '  OPTS = { timeout: 3, "k" => :sym }.freeze',
      "end",
      "class A::B; end",
    ],
    [
      "public module A | module A",
      'public constant A.VERSION value "1.0" | VERSION = "1.0"',
      "public class A.Foo doc # Foo doc.\n  # More. | class Foo < Bar",
      "public constant A.Foo.K value %w[a b].freeze | K = %w[a b].freeze",
      "public member A.Foo.K.a value a | a",
      "public member A.Foo.K.b value b | b",
      "public property A.Foo.x | attr_reader :x, :y",
      "public property A.Foo.y | attr_reader :x, :y",
      "public method A.Foo.bar (a, b? = 2, ...c, d, e? = 4, ...f, g?) | def bar(a, b = 2, *c, d:, e: 4, **f, &g)",
      "public method A.Foo.build (opts? = {}) | def self.build(opts = {})",
      "private method A.Foo.hidden () | def hidden",
      "public method A.Foo.sing () | def sing",
      "public constant A.Point value Struct.new(:x) | Point = Struct.new(:x)",
      "public property A.Point.x | Struct.new(:x)",
      'public constant A.OPTS value { timeout: 3, "k" => :sym }.freeze | OPTS = { timeout: 3, "k" => :sym }.freeze',
      "public property A.OPTS.timeout value 3 | timeout: 3",
      'public property A.OPTS.k value :sym | "k" => :sym',
      "public class A.B | class A::B",
    ],
  ],
  [
    "PHP",
    "a.php",
    [
      "<?php",
      "/** Doc. */",
      "#[Attr]",
      "abstract class Foo extends Bar {",
      "  public const K = 3;",
      "  private ?string $name = 'n';",
      "  public function __construct(private readonly int $a = 1, string ...$rest) {}",
      '  protected static function bar(array $z, ?int $q = null): ?string { return "x"; }',
      "}",
      "enum E: string { case A = 'a'; }",
      "function free($a, &$b = 2) { }",
      "const TOP = 5;",
      "define('DEF', 6);",
    ],
    [
      "public class Foo doc /** Doc. */ | abstract class Foo extends Bar",
      "public constant Foo.K value 3 | public const K = 3",
      "private property Foo.name type ?string value 'n' | private ?string $name = 'n'",
      "public method Foo.__construct (a?: int = 1, ...rest: string) | public function __construct(private readonly int $a = 1, string ...$rest)",
      "private property Foo.a type int value 1 | private readonly int $a = 1",
      "unknown method Foo.bar (z: array, q?: ?int = null) returns ?string | protected static function bar(array $z, ?int $q = null): ?string",
      "public enum E | enum E: string",
      "public member E.A value 'a' | case A = 'a'",
      "public function free (a, b? = 2) | function free($a, &$b = 2)",
      "public constant TOP value 5 | const TOP = 5",
      "public constant DEF value 6 | define('DEF', 6)",
    ],
  ],
  [
    "Kotlin",
    "a.kt",
    [
      "package a.b",
      "",
      "/** Doc Foo */",
      "@Serializable",
      "data class Foo<T>(val x: Int = 3, private var y: String?, z: Int) : Bar() {",
      "    companion object {",
      '        const val K = "k"',
      "    }",
      "",
      '    var prop: String = "d"',
      "        get() = field",
      "",
      "    suspend fun <R> bar(z: Map<String, Int>, vararg done: Int = 2): Int {",
      "        return 1",
      "    }",
      "",
      "    internal fun hid() {}",
      "}",
      "",
      "enum class E(val v: Int) {",
      "    /** a */",
      "    A(1),",
      "    B(2);",
      "",
      "    fun g() {}",
      "}",
      "",
      "object Obj {",
      "    const val Z = 1",
      "}",
      "",
      "fun String.ext(a: Int = 2) = a",
    ],
    [
      "public class Foo (x?: Int = 3, y: String?, z: Int) doc /** Doc Foo */ | data class Foo<T>(val x: Int = 3, private var y: String?, z: Int) : Bar()",
      "public property Foo.x type Int value 3 | val x: Int = 3",
      "private property Foo.y type String? | private var y: String?",
      'public constant Foo.K value "k" | const val K = "k"',
      'public property Foo.prop type String value "d" | var prop: String = "d"',
      "public method Foo.bar (z: Map<String, Int>, ...done?: Int = 2) returns Int | suspend fun <R> bar(z: Map<String, Int>, vararg done: Int = 2): Int",
      "private method Foo.hid () | internal fun hid()",
      "public enum E (v: Int) | enum class E(val v: Int)",
      "public property E.v type Int | val v: Int",
      "public member E.A value (1) doc /** a */ | A(1)",
      "public member E.B value (2) | B(2)",
      "public method E.g () | fun g()",
      "public module Obj | object Obj",
      "public constant Obj.Z value 1 | const val Z = 1",
      "public function ext (a?: Int = 2) | fun String.ext(a: Int = 2)",
    ],
  ],
  [
    "Swift",
    "a.swift",
    [
      "/// Doc Foo",
      "@objc public class Foo<T>: Bar where T: Equatable {",
      "  public var x: Int = 3 { didSet { } }",
      "  private let y: String?",
      "  public init(a: Int = 1, _ b: String?) throws { }",
      "  @discardableResult",
      "  public func bar(with z: [String: Int], rest: Int...) async -> Int { return 1 }",
      '  enum E: String { case a = "x", b; case c(Int) }',
      "}",
      "public protocol P { var r: Int { get } }",
      "extension Foo { public func ext() {} }",
      "public let top = 5",
      "typealias T = Int",
    ],
    [
      "public class Foo doc /// Doc Foo | public class Foo<T>: Bar where T: Equatable",
      "public property Foo.x type Int value 3 | public var x: Int = 3",
      "private property Foo.y type String? | private let y: String?",
      "public method Foo.init (a?: Int = 1, b: String?) | public init(a: Int = 1, _ b: String?) throws",
      "public method Foo.bar (z: [String: Int], ...rest: Int) returns Int | public func bar(with z: [String: Int], rest: Int...) async -> Int",
      "private enum Foo.E | enum E: String",
      'private member Foo.E.a value "x" | case a = "x", b',
      'private member Foo.E.b | case a = "x", b',
      "private member Foo.E.c value (Int) | case c(Int)",
      "public interface P | public protocol P",
      "public property P.r type Int | var r: Int",
      "public module Foo | extension Foo",
      "public method Foo.ext () | public func ext()",
      "public constant top value 5 | public let top = 5",
      "private type T value Int | typealias T = Int",
    ],
  ],
  [
    "Bash",
    "a.sh",
    [
      "#!/bin/bash",
      "# Doc foo",
      "foo() {",
      "  local x=1",
      "}",
      "function _bar {",
      "  :",
      "}",
      "TIMEOUT=30",
      'export PORT="$PORT"',
      "readonly NAME='x'",
    ],
    [
      "public function foo doc # Doc foo | foo()",
      "private function _bar | function _bar",
      "unknown variable TIMEOUT value 30 | TIMEOUT=30",
      'public variable PORT value "$PORT" | export PORT="$PORT"',
      "unknown constant NAME value 'x' | readonly NAME='x'",
    ],
  ],
];

test.each(SOURCES)("%s", async (_, path, lines, expected) => {
  const text = lines.join("\n");
  const outline = await outlineSource(path, text);
  expect(outline.grammar).toBe("tree-sitter");
  expect(outline.brokenAt).toBeUndefined();
  expect(outline.declarations.map((declaration) => sketch(declaration, text))).toEqual(expected);
});

test.each(SOURCES)("regions are exact and contained: %s", async (_, path, lines) => {
  for (const ending of ["\n", "\r\n"])
    for (const mark of ["", "\uFEFF"]) await checkRegions(path, mark + lines.join(ending));
});

async function checkRegions(path: string, text: string): Promise<void> {
  const { declarations } = await outlineSource(path, text);
  expect(declarations.length).toBeGreaterThan(0);
  for (const { name, nameRegion, region, signature, body, doc, parameters } of declarations) {
    expect(text.slice(nameRegion.start, nameRegion.end)).toBe(name);
    for (const inner of [nameRegion, signature, body, doc, ...(parameters ?? []).map((each) => each.region)])
      if (inner) expect(contain(region, inner)).toBe(true);
    if (body) expect(signature.end).toBeLessThanOrEqual(body.start);
  }
}

test("the scripts of a component are read at their offsets", async () => {
  const text =
    '<template><p>class A {}</p></template>\n<script setup lang="ts">\nexport const a = "b";\n</script>\n<style>x{}</style>';
  const { declarations, brokenAt } = await outlineSource("A.vue", text);
  expect(declarations.map((declaration) => sketch(declaration, text))).toEqual([
    'public constant a value "b" | export const a = "b"',
  ]);
  expect(brokenAt).toBeUndefined();
});

test("C# under conditions of the preprocessor", async () => {
  const text =
    "#if A\nnamespace N {\n#if B\npublic class C {\n#if D\npublic int E;\n#else\npublic long F;\n#endif\n}\n#endif\n}\n#endif\n";
  const { declarations } = await outlineSource("a.cs", text);
  expect(declarations.map(({ path }) => path.join("."))).toEqual(["C", "C.E", "C.F"]);
});

describe("files that cannot be parsed", () => {
  test("a language without a grammar has no declarations", async () => {
    expect(await outlineSource("a.zig", 'const a = "b";')).toEqual({
      language: "zig",
      grammar: "none",
      declarations: [],
    });
  });

  test("a broken file names its first broken line and keeps what it can", async () => {
    const outline = await outlineSource(
      "a.ts",
      "export function ok() {}\nexport const = ;\nexport class C {}\n",
    );
    expect(outline.brokenAt).toBe(2);
    expect(outline.declarations.map(({ name }) => name)).toContain("ok");
  });

  test("a file that is too long is not parsed, with the reason", async () => {
    const outline = await outlineSource("a.ts", "a;".repeat(500_001));
    expect(outline.grammar).toBe("none");
    expect(outline.trouble).toContain("longer than");
  });

  test("the first line can say the language of a script without an extension", () => {
    expect(sourceLanguage("bin/run", "#!/usr/bin/env node\n")).toBe("javascript");
    expect(sourceLanguage("bin/run", "#!/bin/bash\n")).toBe("bash");
    expect(sourceLanguage("bin/run", "plain")).toBeUndefined();
    expect(sourceLanguage(".bashrc", "")).toBeUndefined();
  });
});

test("any text in any language gives an outline", async () => {
  const paths = SOURCES.map(([, path]) => path);
  const pieces =
    "class A {|}|(|)|def |fn |func |=> |= |\"|'|`|/* |*/|// |# |\n|  |export |pub |enum |{|type |;|:|, |x|1|@a |<?php |namespace |struct |[|]|<T>|é|😀";
  const text = fc
    .array(fc.constantFrom(...pieces.split("|")), { maxLength: 40 })
    .map((each) => each.join(""));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), text, async (path, source) => {
      const { declarations } = await outlineSource(path, source);
      for (const { name, nameRegion } of declarations)
        expect(source.slice(nameRegion.start, nameRegion.end)).toBe(name);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["a.ts", "type A = ", '| "a"'],
  ["a.ts", "const a = ", "{a:"],
  ["a.ts", "const a = ", "("],
  ["a.py", "", "if a:\n "],
  ["a.rs", "", "mod a {"],
  ["a.cpp", "", "namespace a {"],
  ["a.java", "", "class A {"],
  ["a.rb", "", "module A\n"],
  ["a.kt", "", "class A {\n"],
  ["a.swift", "", "class A {\n"],
  ["a.php", "<?php ", "namespace A {"],
  ["a.cs", "", "namespace A {"],
])("steep nesting of %s overflows no stack: %s%s…", async (path, start, unit) => {
  const outline = await outlineSource(path, start + unit.repeat(3000));
  expect(outline.declarations.length).toBeLessThan(10_000);
});

test("a file that breaks the parser is reported, and affects neither the next file nor one read at the same time", async () => {
  const hostile = "x<y<".repeat(10_000);
  const [broken, beside] = await Promise.all([
    outlineSource("a.cs", hostile),
    outlineSource("a.py", "def a(): pass"),
  ]);
  expect(broken).toMatchObject({ grammar: "none", trouble: "the parser ran out of memory" });
  expect(beside.declarations).toHaveLength(1);
  expect((await outlineSource("a.cs", "public class A {}")).declarations).toHaveLength(1);
});

test.each([
  ["a.kt", "<"],
  ["a.rb", "=begin\n"],
  ["a.sh", "<<"],
  ["a.ts", "{a:"],
  ["a.py", "("],
])("input that would take the parser quadratic work is refused: %s %j", async (path, unit) => {
  const work = await measureAsyncWork(async () => {
    const outline = await outlineSource(path, unit.repeat(100_000 / unit.length));
    expect(outline.trouble).toMatch(/tangled|deep/);
  });
  expect(work).toBeLessThan(300);
});

test("the Swift scanner starts afresh with each file", async () => {
  const text = 'let a = #"x"#\nfunc b() {}\n'.repeat(50);
  const first = await outlineSource("a.swift", text);
  const second = await outlineSource("a.swift", text);
  expect(second).toEqual(first);
  expect(second.brokenAt).toBeUndefined();
});
