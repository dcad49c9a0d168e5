import { expect, test } from "vitest";
import { applySplices } from "../../../text/model/splice.ts";
import { driftBetween, type Tree } from "../../drift-between.ts";

/** The lines of the page that are said to be stale, each as it is after the edit where there is one. */
async function stale(before: Tree, after: Tree): Promise<string[]> {
  const { findings } = await driftBetween(before, after);
  const page = after.get("README.md")!;
  return findings
    .filter(({ kind, tier }) => kind === "sample" && tier !== "possible")
    .map(({ startLine, edits }) => {
      const splices = edits.map(({ target, ...edit }) => ({
        region: (target as { region: { start: number; end: number } }).region,
        text: (edit as { text: string | null }).text ?? "",
      }));
      return applySplices(page, splices).split("\n")[startLine - 1]!.trim();
    });
}

type Row = readonly [
  title: string,
  file: readonly [path: string, text: string],
  change: readonly [old: string, now: string],
  fence: readonly [language: string, text: string],
  stale: readonly string[],
  rest?: Readonly<Record<string, string>>,
];

const npm = { "package.json": '{ "name": "planer", "version": "1.0.0" }' };
const py: Row[1] = ["planer/cut.py", "def cut(board, depth=1, *, oil=None):\n    return board\n"];
const pyFence = (line: string): Row[3] => ["python", `from planer.cut import cut\n\n${line}`];
const ts: Row[1] = [
  "src/cut.ts",
  "export function cut(board: string, depth?: number) {\n  return board;\n}\n",
];
const tsFence = (line: string): Row[3] => ["ts", `import { cut } from "planer";\n\n${line}`];
const options = `export interface CutOptions {
  depth: number;
  oil?: boolean;
}
export function cut(board: string, options: CutOptions) {
  return board;
}
`;
const go: Row[1] = ["planer.go", "package planer\n\nfunc Cut(board string) error { return nil }\n"];
const goMod = { "go.mod": "module example.org/planer\n\ngo 1.24\n" };
const rust: Row[1] = [
  "src/lib.rs",
  "pub struct Planer;\nimpl Planer {\n    pub fn new() -> Self { Planer }\n    pub fn cut(&self, board: u32) {}\n}\n",
];
const cargo = { "Cargo.toml": '[package]\nname = "planer"\nversion = "0.1.0"\n' };
const kotlin: Row[1] = [
  "src/main/kotlin/org/planer/Planer.kt",
  "package org.planer\n\nfun cut(board: String, depth: Int = 1) {}\n",
];
const cs: Row[1] = [
  "src/Planer.cs",
  "namespace Planing;\n\npublic class Planer\n{\n    public void Cut(string board, int depth) { }\n}\n",
];
const php: Row[1] = [
  "src/Planer.php",
  "<?php\nnamespace Planing;\n\nclass Planer\n{\n    public function __construct(string $blade) {}\n}\n",
];

const rows: readonly Row[] = [
  [
    "a keyword that has another name",
    py,
    ["oil=None", "wax=None"],
    pyFence("cut(b, oil=True)"),
    ["cut(b, wax=True)"],
  ],
  ["a keyword that is gone", py, [", *, oil=None", ""], pyFence("cut(b, oil=True)"), ["cut(b, oil=True)"]],
  [
    "a parameter that is required now",
    py,
    ["board, depth=1", "board, saw, depth=1"],
    pyFence("cut(b)"),
    ["cut(b)"],
  ],
  [
    "a parameter that takes its name only",
    py,
    ["depth=1, *", "*, depth=1"],
    pyFence("cut(b, 2)"),
    ["cut(b, depth=2)"],
  ],
  ["a coroutine that nobody awaits", py, ["def cut", "async def cut"], pyFence("x = cut(b)"), ["x = cut(b)"]],
  [
    "a console session",
    py,
    ["board, depth=1", "board, saw, depth=1"],
    ["pycon", ">>> import planer.cut\n>>> planer.cut.cut(b)\nb"],
    [">>> planer.cut.cut(b)"],
  ],
  [
    "a required parameter in TypeScript",
    ts,
    ["depth?: number", "depth: number"],
    tsFence('cut("oak");'),
    ['cut("oak");'],
    npm,
  ],
  ["one argument too many", ts, [", depth?: number", ""], tsFence('cut("oak", 2);'), ['cut("oak");'], npm],
  [
    "a promise whose value is used",
    ts,
    ["export function", "export async function"],
    tsFence('const board = cut("oak");'),
    ['const board = cut("oak");'],
    npm,
  ],
  [
    "an option that is required now",
    ["src/cut.ts", options],
    ["oil?: boolean", "oil: boolean"],
    tsFence('cut("oak", { depth: 2 });'),
    ['cut("oak", { depth: 2 });'],
    npm,
  ],
  [
    "a context in Go",
    go,
    ["board string", "ctx context.Context, board string"],
    ["go", 'import "example.org/planer"\n\nerr := planer.Cut("oak")'],
    ['err := planer.Cut(ctx, "oak")'],
    goMod,
  ],
  [
    "a method on a value that a constructor made",
    rust,
    ["board: u32", "board: u32, depth: u32"],
    ["rust", "use planer::Planer;\n\nlet p = Planer::new();\np.cut(1);"],
    ["p.cut(1);"],
    cargo,
  ],
  [
    "a named argument in Kotlin",
    kotlin,
    ["depth: Int", "millimetres: Int"],
    ["kotlin", 'import org.planer.cut\n\ncut("oak", depth = 2)'],
    ['cut("oak", millimetres = 2)'],
  ],
  [
    "a named argument in C#",
    cs,
    ["int depth", "int millimetres"],
    ["csharp", 'using Planing;\n\nvar p = new Planer();\np.Cut("oak", depth: 2);'],
    ['p.Cut("oak", millimetres: 2);'],
  ],
  [
    "a constructor in PHP",
    php,
    ["string $blade", "string $blade, int $depth"],
    ["php", 'use Planing\\Planer;\n\n$p = new Planer("steel");'],
    ['$p = new Planer("steel");'],
  ],
  [
    "a promise that nobody uses",
    ts,
    ["export function", "export async function"],
    tsFence('cut("oak");'),
    [],
    npm,
  ],
  [
    "an optional parameter more",
    ts,
    ["depth?: number", "depth?: number, oil?: boolean"],
    tsFence('cut("oak", 2);'),
    [],
    npm,
  ],
  ["another name in the same place", ts, ["board: string", "plank: string"], tsFence('cut("oak");'), [], npm],
  [
    "arguments that are not written out",
    py,
    ["board, depth=1", "board, saw, depth=1"],
    pyFence("cut(*boards)"),
    [],
  ],
  [
    "too few arguments in JavaScript",
    ["src/cut.js", "export function cut(board) {}\n"],
    ["(board)", "(board, depth)"],
    ["js", 'import { cut } from "planer";\n\ncut("oak");'],
    [],
    npm,
  ],
  [
    "another package's function of that name",
    ts,
    ["depth?: number", "depth: number"],
    ["ts", 'import { cut } from "scissors";\n\ncut("paper");'],
    [],
    npm,
  ],
  [
    "a function that the sample declares",
    py,
    ["board, depth=1", "board, saw, depth=1"],
    ["python", "def cut(paper):\n    return paper\n\ncut(p)"],
    [],
  ],
  [
    "an everyday name without an import",
    py,
    ["board, depth=1", "board, saw, depth=1"],
    ["python", "cut(p)"],
    [],
  ],
  [
    "a keyword that a record has no field for now",
    ["planer/cut.py", "@dataclass\nclass Cut:\n    board: str\n    depth: int = 1\n"],
    ["    depth: int", "    deep: int"],
    ["python", "from planer.cut import Cut\n\nCut(b, depth=2)"],
    ["Cut(b, deep=2)"],
  ],
  [
    "a constructor that a class has from its base",
    [
      "planer/saw.py",
      "class Saw:\n    def __init__(self, teeth, oil=None):\n        pass\n\n\nclass Band(Saw):\n    pass\n",
    ],
    [", oil=None", ""],
    ["python", "from planer.saw import Band\n\nBand(3, oil=True)"],
    ["Band(3, oil=True)"],
  ],
  [
    "a function that another file of the package has under the same name",
    py,
    ["board, depth=1", "board, saw, depth=1"],
    ["python", "import planer\n\nplaner.cut(b)"],
    [],
    {
      "planer/__init__.py": "from planer.paper import cut\n",
      "planer/paper.py": "def cut(paper):\n    return paper\n",
    },
  ],
  [
    "a lambda behind a call of Kotlin",
    ["src/cut.kt", "package org.planer.tool\n\nfun cut(oil: Boolean = false, board: () -> Unit) {}\n"],
    ["oil: Boolean = false", "wax: Boolean = false"],
    ["kotlin", "import org.planer.tool.cut\n\ncut { saw() }"],
    [],
  ],
  [
    "an option key that the type does not have now",
    [
      "src/index.ts",
      "export type Opts = { depth?: number } & { oil?: boolean };\nexport function cut(o: Opts): void {}\n",
    ],
    ["oil?: boolean", "wax?: boolean"],
    ["ts", 'import { cut } from "planer";\n\ncut({ oil: true });'],
    ["cut({ wax: true });"],
    { "package.json": '{ "name": "planer" }' },
  ],
  [
    "a keyword of a constructor in Ruby",
    ["lib/planer.rb", "class Planer\n  def initialize(blade:, oil: nil)\n  end\nend\n"],
    ["oil: nil", "wax: nil"],
    ["ruby", 'require "planer"\n\nPlaner.new(blade: 3, oil: true)'],
    ["Planer.new(blade: 3, wax: true)"],
  ],
  [
    "a field of a struct that a sample fills",
    [
      "planer.go",
      "package planer\n\ntype Options struct {\n\tDepth int\n\tOil bool\n}\n\nfunc Cut(o Options) {}\n",
    ],
    ["Oil bool", "Wax bool"],
    ["go", 'import "example.org/planer"\n\nplaner.Cut(planer.Options{Depth: 1, Oil: true})'],
    ["planer.Cut(planer.Options{Depth: 1, Wax: true})"],
    goMod,
  ],
  [
    "a field that the reader may leave out",
    ["planer.go", "package planer\n\ntype Options struct {\n\tDepth int\n}\n\nfunc Cut(o Options) {}\n"],
    ["Depth int", "Depth int\n\tOil bool"],
    ["go", 'import "example.org/planer"\n\nplaner.Cut(planer.Options{Depth: 1})'],
    [],
    goMod,
  ],
  [
    "a choice that has another name, in an option of an option type",
    [
      "src/cut.ts",
      'export type Saw = "band" | "jig";\nexport interface Opts {\n  saw?: Saw;\n}\nexport function cut(o: Opts) {}\n',
    ],
    ['"jig"', '"scroll"'],
    tsFence('cut({ saw: "jig" });'),
    ['cut({ saw: "scroll" });'],
    npm,
  ],
  [
    "a choice of a keyword in Python",
    ["planer/cut.py", 'def cut(board, saw: Literal["band", "jig"] = "band"):\n    return board\n'],
    ['"jig"', '"scroll"'],
    pyFence('cut(b, saw="jig")'),
    ['cut(b, saw="scroll")'],
  ],
  [
    "a choice more",
    ["planer/cut.py", 'def cut(board, saw: Literal["band", "jig"] = "band"):\n    return board\n'],
    ['"jig"', '"jig", "scroll"'],
    pyFence('cut(b, saw="jig")'),
    [],
  ],
  [
    "a method that a class of the sample inherits",
    ["planer/cut.py", "class Saw:\n    def cut(self, board):\n        return board\n"],
    ["board):", "board, depth):"],
    ["python", "from planer.cut import Saw\n\nclass Mine(Saw):\n    pass\n\nMine().cut(b)"],
    ["Mine().cut(b)"],
  ],
  [
    "a method that a class of the sample has itself",
    ["planer/cut.py", "class Saw:\n    def cut(self, board):\n        return board\n"],
    ["board):", "board, depth):"],
    [
      "python",
      "from planer.cut import Saw\n\nclass Mine(Saw):\n    def cut(self, board):\n        pass\n\nMine().cut(b)",
    ],
    [],
  ],
  [
    "a function in a namespace that the package passes on",
    ts,
    ["depth?: number", "depth: number"],
    ["ts", 'import { saw } from "planer";\n\nsaw.cut("oak");'],
    ['saw.cut("oak");'],
    { ...npm, "src/index.ts": 'import * as saw from "./cut";\nexport { saw };\n' },
  ],
  [
    "a function that the sample imports under another name",
    ts,
    ["depth?: number", "depth: number"],
    ["ts", 'import { cut as slice } from "planer";\n\nslice("oak");'],
    ['slice("oak");'],
    npm,
  ],
  [
    "a function of a crate without an import",
    ["src/lib.rs", "pub fn cut(board: u32) {}\n"],
    ["board: u32", "board: u32, depth: u32"],
    ["rust", "planer::cut(1);"],
    ["planer::cut(1);"],
    cargo,
  ],
  [
    "an attribute of an element",
    [
      "src/index.tsx",
      "export interface SawProps {\n  teeth: number;\n  oil?: string;\n}\nexport function Saw({ teeth, oil }: SawProps) {\n  return null;\n}\n",
    ],
    ["oil?: string", "wax?: string"],
    ["tsx", 'import { Saw } from "planer";\n\nconst saw = <Saw key="a" teeth={3} oil="linseed" />;'],
    ['const saw = <Saw key="a" teeth={3} wax="linseed" />;'],
    npm,
  ],
  [
    "an overload of TypeScript, beside the declaration that callers do not see",
    [
      "src/cut.ts",
      "export function cut(a: string): void;\nexport function cut(a: string, b: number): void;\nexport function cut(a: string, b?: number): void {}\n",
    ],
    ["cut(a: string): void;", "cut(a: string, b: number, c: number): void;"],
    tsFence('cut("oak");'),
    ['cut("oak");'],
    npm,
  ],
  [
    "a method of a struct that another one embeds",
    [
      "planer.go",
      "package planer\n\ntype Saw struct{}\n\nfunc (s *Saw) Cut(board string) {}\n\ntype Band struct {\n\tSaw\n\tTeeth int\n}\n\nfunc New() *Band { return nil }\n",
    ],
    ["Cut(board string)", "Cut(board string, depth int)"],
    ["go", 'import "example.org/planer"\n\nb := planer.New()\nb.Cut("oak")'],
    ['b.Cut("oak")'],
    goMod,
  ],
  [
    "a method of a builder inside its type",
    [
      "src/main/java/org/planer/Saw.java",
      "package org.planer;\n\npublic class Saw {\n    public static Builder builder() { return new Builder(); }\n\n    public static class Builder {\n        public Builder teeth(int n) { return this; }\n    }\n}\n",
    ],
    ["teeth(int n)", "teeth(int n, int size)"],
    ["java", "import org.planer.Saw;\n\nSaw.builder()\n    .teeth(3);"],
    [".teeth(3);"],
  ],
  [
    "an object whose keys a comment leaves out",
    ["src/cut.ts", options],
    ["oil?: boolean", "oil: boolean"],
    tsFence('cut("oak", { // ...\n  depth: 2 });'),
    [],
    npm,
  ],
  [
    "a call whose arguments a comment leaves out",
    ts,
    ["board: string", "saw: string, board: string"],
    tsFence("cut(/* as before */);"),
    [],
    npm,
  ],
  [
    "a call of Go that passes all values of another one",
    go,
    ["board string", "board string, depth int"],
    ["go", 'import "example.org/planer"\n\nplaner.Cut(board())'],
    [],
    goMod,
  ],
  [
    "a field that a struct of Rust has besides",
    ["src/lib.rs", "pub struct Planer {\n    pub teeth: u32,\n}\n"],
    ["pub teeth: u32,", "pub teeth: u32,\n    pub oil: bool,"],
    ["rust", "use planer::Planer;\n\nlet p = Planer { teeth: 3 };"],
    ["let p = Planer { teeth: 3 };"],
    cargo,
  ],
  [
    "an overload that takes one more, beside one that takes less",
    [
      "src/main/java/org/planer/Saw.java",
      "package org.planer;\n\npublic class Saw {\n    public static void cut(int a) {}\n    public static void cut(int a, int b) {}\n}\n",
    ],
    ["int a, int b", "int a, int b, int c"],
    ["java", "import org.planer.Saw;\n\nSaw.cut(1, 2);"],
    ["Saw.cut(1, 2);"],
  ],
  [
    "a chain whose methods return their own type in PHP",
    [
      "src/Planer.php",
      "<?php\nnamespace Planing;\n\nclass Planer\n{\n    public static function of(string $blade): self {}\n    public function oil(): static {}\n    public function cut(string $board, int $depth = 1): void {}\n}\n",
    ],
    ["int $depth", "int $deep"],
    ["php", "use Planing\\Planer;\n\nPlaner::of('steel')->oil()->cut('oak', depth: 2);"],
    ["Planer::of('steel')->oil()->cut('oak', deep: 2);"],
  ],
  [
    "a type that is written with its namespace",
    php,
    ["string $blade", "string $blade, int $depth"],
    ["php", '$p = new \\Planing\\Planer("steel");'],
    ['$p = new \\Planing\\Planer("steel");'],
  ],
  [
    "a constructor beside that in the head of a type",
    [
      "src/Saw.cs",
      "namespace Planing;\n\npublic class Saw(int teeth, int size, int oil)\n{\n    public Saw(int teeth, int size) : this(teeth, size, 0) { }\n}\n",
    ],
    ["public Saw(int teeth, int size)", "public Saw(int teeth)"],
    ["csharp", "using Planing;\n\nvar s = new Saw(1, 2);"],
    ["var s = new Saw(1);"],
  ],
  [
    "a method of an interface that another one embeds, on a type called Result",
    [
      "planer.go",
      "package planer\n\ntype Cutter interface {\n\tCut(board string)\n}\n\ntype Result interface {\n\tCutter\n}\n\nfunc New() Result { return nil }\n",
    ],
    ["Cut(board string)", "Cut(board string, depth int)"],
    ["go", 'import "example.org/planer"\n\nr := planer.New()\nr.Cut("oak")'],
    ['r.Cut("oak")'],
    goMod,
  ],
  [
    "an extension method of C# on somebody else's type",
    [
      "src/Extensions.cs",
      "namespace Planing;\n\npublic static class PlanerExtensions\n{\n    public static IServices AddPlaner(this IServices services, string blade, int depth = 1)\n    {\n        return services;\n    }\n}\n",
    ],
    ["int depth", "int millimetres"],
    ["csharp", 'using Planing;\n\nbuilder.Services.AddPlaner("steel", depth: 2);'],
    ['builder.Services.AddPlaner("steel", millimetres: 2);'],
  ],
  [
    "an extension function of Kotlin that the sample imports",
    [
      "src/main/kotlin/org/planer/tool/Cut.kt",
      "package org.planer.tool\n\nfun Board.cut(depth: Int, oil: Boolean = false) {}\n",
    ],
    ["oil: Boolean", "wax: Boolean"],
    ["kotlin", "import org.planer.tool.cut\n\nshelf.board.cut(2, oil = true)"],
    ["shelf.board.cut(2, wax = true)"],
  ],
  [
    "an element inside another one, without attributes",
    [
      "src/index.tsx",
      "export interface SawProps {\n  teeth?: number;\n}\nexport function Saw({ teeth }: SawProps) {\n  return null;\n}\n",
    ],
    ["teeth?: number", "teeth: number"],
    ["tsx", 'import { Saw } from "planer";\n\nconst saw = <div><Saw /><p /></div>;'],
    ["const saw = <div><Saw /><p /></div>;"],
    npm,
  ],
  [
    "an element of a component that reads no attributes now",
    ["src/index.tsx", "export function Saw(props: { teeth?: number }) {\n  return null;\n}\n"],
    ["props: { teeth?: number }", ""],
    ["tsx", 'import { Saw } from "planer";\n\nconst saw = <Saw />;'],
    [],
    npm,
  ],
  [
    "a promise that the sample exports",
    ts,
    ["export function", "export async function"],
    tsFence('export const board = cut("oak");'),
    [],
    npm,
  ],
  [
    "a call of Python whose first arguments a comment leaves out",
    ["planer/cut.py", "def cut(board=1, *, oil=None):\n    return board\n"],
    ["board=1", "board"],
    pyFence("cut(\n    # ...\n    oil=True)"),
    [],
  ],
  [
    "a record with a base that is one too",
    [
      "planer/saw.py",
      "@dataclass\nclass Saw:\n    teeth: int\n    size: int = 1\n\n\n@dataclass\nclass Band(Saw):\n    oil: bool = False\n",
    ],
    ["    teeth: int", "    points: int"],
    ["python", "from planer.saw import Band\n\nBand(teeth=3)"],
    [],
  ],
  [
    "what a module exports as a whole, beside a function of the local name",
    ["src/index.ts", "const init = (board: string, depth?: number) => board;\nexport default init;\n"],
    ["depth?: number", "depth: number"],
    ["ts", 'import init from "planer";\n\ninit("oak");'],
    ['init("oak");'],
    { ...npm, "src/hooks.ts": "export function init(saw: string, oil: number): void {}\n" },
  ],
  [
    "types that are written beside the code",
    ["index.js", "export function cut(board, depth) {\n  return board;\n}\n"],
    ["board, depth", "board"],
    tsFence('cut("oak", 2);'),
    [],
    { ...npm, "index.d.ts": "export function cut(board: string, depth?: number): string;\n" },
  ],
  [
    "a function that a module passes on under another name",
    ["src/saws.ts", "export function createSaw(teeth: number, size?: number): void {}\n"],
    ["size?: number", "size: number"],
    ["ts", 'import { saw } from "planer";\n\nsaw(3);'],
    ["saw(3);"],
    { ...npm, "src/index.ts": 'export { createSaw as saw } from "./saws";\n' },
  ],
  [
    "an option of one of two types",
    [
      "src/cut.ts",
      "interface Fine { depth?: number }\ninterface Coarse { teeth: number }\nexport function cut(board: string, options: Fine | Coarse | string) {}\n",
    ],
    ["depth?: number", "height?: number"],
    tsFence('cut("oak", { depth: 2 });'),
    ['cut("oak", { height: 2 });'],
    npm,
  ],
  [
    "an option that the parameter takes apart",
    ["index.js", "export function cut({ depth = 1, oil } = {}) {\n  return [depth, oil];\n}\n"],
    ["{ depth = 1, oil } = {}", "{ height = 1, oil } = {}"],
    ["js", 'import { cut } from "planer";\n\ncut({ depth: 2 });'],
    ["cut({ height: 2 });"],
    npm,
  ],
  [
    "an option that a constructor takes apart",
    [
      "index.js",
      "class Saw {\n  constructor({ teeth = 1 } = {}) {\n    this.teeth = teeth;\n  }\n}\nmodule.exports = { Saw };\n",
    ],
    ["{ teeth = 1 } = {}", "{ points = 1 } = {}"],
    ["js", 'const { Saw } = require("planer");\n\nnew Saw({ teeth: 2 });'],
    ["new Saw({ points: 2 });"],
    npm,
  ],
  [
    "an option of a parameter that hands on the others",
    ["index.js", "export function cut({ depth = 1, ...others } = {}) {\n  return others;\n}\n"],
    ["depth = 1", "height = 1"],
    ["js", 'import { cut } from "planer";\n\ncut({ depth: 2 });'],
    [],
    npm,
  ],
  [
    "a member of what a function without a written result makes",
    [
      "planer/cut.py",
      "class Saw:\n    def cut(self, board):\n        pass\n\n\ndef saw(size=1):\n    return Saw()\n",
    ],
    ["self, board", "self, board, depth"],
    ["python", "from planer.cut import saw\n\nblade = saw()\nblade.cut(1)"],
    ["blade.cut(1)"],
  ],
  [
    "a function that makes one of two types",
    [
      "planer/cut.py",
      "class Saw:\n    def cut(self, board):\n        pass\n\n\ndef saw(size=1):\n    if size:\n        return Saw()\n    return Knife()\n",
    ],
    ["self, board", "self, board, depth"],
    ["python", "from planer.cut import saw\n\nblade = saw()\nblade.cut(1)"],
    [],
  ],
  [
    "a member of the value that a declared module exports, in a sample that requires it",
    [
      "lib/index.d.ts",
      "declare namespace Planer {\n  interface Root {\n    cut(board: string, depth?: number): Board;\n  }\n  interface Board {\n    oil(drops: number): this;\n  }\n}\n\ndeclare const Planer: Planer.Root;\nexport = Planer;\n",
    ],
    ["oil(drops: number)", "oil(drops: number, kind: string)"],
    ["js", 'const planer = require("planer");\n\nplaner.cut("oak").oil(3);'],
    ['planer.cut("oak").oil(3);'],
    npm,
  ],
  [
    "the types that the manifest names",
    ["types/planer.d.ts", "export function cut(board: string, depth?: number): void;\n"],
    ["depth?: number", "depth: number"],
    tsFence('cut("oak");'),
    ['cut("oak");'],
    {
      "package.json": '{ "name": "planer", "types": "./types/planer.d.ts" }',
      "other/cut.js": "export function cut(board) {}\n",
    },
  ],
  [
    "a parameter whose type Python writes in quotes",
    ["planer/cut.py", 'def cut(board: "Board" = "", depth=1):\n    return board\n'],
    ["depth=1", "depth"],
    pyFence('cut("oak")'),
    ['cut("oak")'],
  ],
  [
    "a method of Rust that is called by its type",
    rust,
    ["board: u32", "board: u32, depth: u32"],
    ["rust", "use planer::Planer;\n\nlet saw = Planer::new();\nPlaner::cut(&saw, 1);"],
    ["Planer::cut(&saw, 1);"],
    cargo,
  ],
  [
    "an overload that only an extension has",
    [
      "src/main/kotlin/org/planer/Saw.kt",
      "package org.planer\n\nclass Saw {\n    fun cut(depth: Int = 1) {}\n}\n\nfun Saw.cut(board: String) {}\n",
    ],
    ["fun cut(depth: Int = 1)", "fun cut(depth: Int, oil: Boolean)"],
    ["kotlin", 'import org.planer.*\n\nval saw = Saw()\nsaw.cut("oak")'],
    [],
  ],
  [
    "a member of a type whose namespace the sample writes",
    [
      "include/planer.hpp",
      "namespace wood {\nclass Saw {\n public:\n  explicit Saw(int size);\n  void cut(int depth, bool oil = false);\n};\n}\n",
    ],
    ["int depth, bool oil = false", "int depth"],
    ["cpp", "#include <planer.hpp>\n\nint main() {\n  wood::Saw saw(40);\n  saw.cut(3, true);\n}"],
    ["saw.cut(3);"],
  ],
  [
    "a method of a type whose base is somebody else's",
    [
      "src/Planer.cs",
      "namespace Planing;\n\npublic class Boards : List<object>\n{\n    public void Add(string board, int depth = 1) { }\n}\n",
    ],
    ["int depth = 1", "int depth"],
    ["csharp", 'using Planing;\n\nvar boards = new Boards();\nboards.Add("oak");'],
    [],
  ],
  [
    "a hash of Ruby, beside a block",
    ["lib/planer.rb", "class Planer\n  def initialize(config = {}, depth = 1, &block)\n  end\nend\n"],
    ["config = {}, depth = 1", "config = {}"],
    ["ruby", 'require "planer"\n\nPlaner.new(oil: true)'],
    [],
  ],
  [
    "a field that the sample takes out of the result",
    [
      "src/cut.ts",
      "export interface Cut {\n  boards: string[];\n  waste: number;\n}\nexport async function cut(board: string): Promise<Cut> {\n  return plane(board);\n}\n",
    ],
    ["boards: string[]", "planks: string[]"],
    tsFence('const { boards, ...rest } = await cut("oak");'),
    ['const { boards, ...rest } = await cut("oak");'],
    npm,
  ],
  [
    "a field of the result that its type has from a base now",
    [
      "src/cut.ts",
      "interface Sawn {\n  boards: string[];\n}\nexport interface Cut {\n  boards: string[];\n}\nexport function cut(board: string): Cut {\n  return plane(board);\n}\n",
    ],
    ["Cut {\n  boards: string[];", "Cut extends Sawn {\n  waste: number;"],
    tsFence('const { boards } = cut("oak");'),
    [],
    npm,
  ],
  [
    "a second result of Go",
    ["planer.go", "package planer\n\nfunc Cut(board string) *Board { return nil }\n"],
    ["*Board {", "(*Board, error) {"],
    ["go", 'import "example.org/planer"\n\nboard := planer.Cut("oak")'],
    ['board := planer.Cut("oak")'],
    goMod,
  ],
  [
    "values of Go that are not the results of one call",
    ["planer.go", "package planer\n\nfunc Cut(board string) []Board { return nil }\n"],
    ["[]Board {", "chan Board {"],
    [
      "go",
      'import "example.org/planer"\n\nfor at, board := range planer.Cut("oak") {\n}\nboard, ok := <-planer.Cut("oak")\na, b := planer.Cut("oak"), planer.Cut("ash")',
    ],
    [],
    goMod,
  ],
  [
    "a result of Go that has another type",
    ["planer.go", "package planer\n\nfunc Cut(board string) (map[string]int, error) { return nil, nil }\n"],
    ["map[string]int", "func(a, b int) (int, error)"],
    ["go", 'import "example.org/planer"\n\nboard, err := planer.Cut("oak")'],
    [],
    goMod,
  ],
  [
    "an overload whose result is an object type",
    [
      "src/cut.ts",
      "/** Cuts. */\nexport function cut(board: string, depth?: number): Promise<void> & { cancel(): void }\nexport function cut(board: string, done: () => void, depth?: number): Saw\nexport function cut(board: any, done?: any, depth?: any): any {\n  return plane(board);\n}\n",
    ],
    ["cut(board: string, depth?: number)", "cut(board: string, depth: number)"],
    tsFence('cut("oak");'),
    ['cut("oak");'],
    npm,
  ],
  [
    "a function of JavaScript that reads what its parameters do not name",
    ["src/cut.js", "export function cut(board, depth) {\n  return plane(board, depth);\n}\n"],
    ["board, depth) {\n  return plane(board, depth)", "board) {\n  return plane.apply(null, arguments)"],
    ["js", 'import { cut } from "planer";\n\ncut("oak", 3);'],
    [],
    npm,
  ],
  [
    "a receiver of Rust with its type",
    rust,
    ["cut(&self, board", "cut(self: &Self, board"],
    ["rust", "use planer::Planer;\n\nlet saw = Planer::new();\nsaw.cut(1);"],
    [],
    cargo,
  ],
  [
    "a parameter of a type that may be void",
    ["src/cut.ts", "export class Saw<T> {\n  cut(board?: T): void {}\n}\n"],
    ["board?: T", "board: T"],
    ["ts", 'import { Saw } from "planer";\n\nconst saw = new Saw<void>();\nsaw.cut();'],
    [],
    npm,
  ],
  [
    "a package of Python that lies deeper in the repository",
    ["packages/planer/src/planer/_saw.py", "def cut(board, depth=1):\n    return board\n"],
    ["depth=1", "depth"],
    ["python", 'from planer.tools import cut\n\ncut("oak")'],
    ['cut("oak")'],
    {
      "packages/planer/src/planer/__init__.py": "",
      "packages/planer/src/planer/tools.py": "from planer._saw import cut\n",
    },
  ],
  ["a call that did not fit before", py, ["board, depth=1", "board, saw, depth=1"], pyFence("cut()"), []],
  [
    "a keyword that others take",
    ["planer/cut.py", "def cut(board, oil=None, **more):\n    return board\n"],
    ["oil=None, ", ""],
    pyFence("cut(b, oil=True)"),
    [],
  ],
  [
    "a method of what a wrapper of Rust holds, in a macro",
    [
      "src/lib.rs",
      "pub struct Planer;\nimpl Planer {\n    pub fn open() -> Option<Planer> { None }\n    pub fn cut(&self, board: u32) -> u32 { board }\n}\n",
    ],
    ["board: u32", "board: u32, depth: u32"],
    ["rust", 'use planer::Planer;\n\nlet planer = Planer::open().unwrap();\nprintln!("{}", planer.cut(1));'],
    ['println!("{}", planer.cut(1));'],
    cargo,
  ],
  [
    "a name that a sample imports from two modules",
    ts,
    ["depth?: number", "depth: number"],
    ["ts", 'import { cut } from "planer";\ncut(b);\n\nimport { cut } from "planer/fine";\ncut(b);'],
    [],
    npm,
  ],
  [
    "a value that its type lets callers call in several ways",
    [
      "src/index.ts",
      "type Once = (board: string) => void;\ntype Deep = (board: string, depth: number) => void;\nexport type Plane = Once & Deep;\nexport declare const plane: Plane;\n",
    ],
    ["depth: number", "depth: number, oil: boolean"],
    ["ts", 'import { plane } from "planer";\n\nplane(b, 1)'],
    ["plane(b, 1)"],
    npm,
  ],
  [
    "a method of a value that a module makes, by a name of the sample's own",
    [
      "src/index.ts",
      "export class Planer {\n  cut(board: string) {}\n}\n\nexport const planer = new Planer();\n",
    ],
    ["board: string", "board: string, depth: number"],
    ["ts", 'import { planer } from "planer";\n\nconst cut = planer.cut;\ncut(b)'],
    ["cut(b)"],
    npm,
  ],
  [
    "a method that a module of Ruby has from one that extends it",
    ["lib/planer/cutting.rb", "module Planer\n  module Cutting\n    def cut(board)\n    end\n  end\nend\n"],
    ["cut(board)", "cut(board, depth)"],
    ["ruby", 'require "planer"\n\nPlaner.cut(b)'],
    ["Planer.cut(b)"],
    { "lib/planer.rb": 'require "planer/cutting"\n\nmodule Planer\n  extend Cutting\nend\n' },
  ],
  [
    "a type that is joined with one of another package",
    [
      "src/index.ts",
      'import type { Saw } from "saws";\n\nexport interface Planer {\n  cut(board: string): void;\n}\nexport type Bench = Saw & Planer;\nexport function bench(): Bench {\n  return make();\n}\n',
    ],
    ["board: string", "board: string, depth: number"],
    ["ts", 'import { bench } from "planer";\n\nbench().cut(b)'],
    [],
    npm,
  ],
];

for (const [title, [path, text], [old, now], [language, code], expected, rest = {}] of rows)
  test(title, async () => {
    expect(text).toContain(old);
    const page = `# Planer\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
    const before = new Map([...Object.entries(rest), [path, text], ["README.md", page]]);
    const after = new Map([...before, [path, text.replace(old, now)]]);
    expect(await stale(before, after)).toEqual(expected);
  });

test("a section about an older version claims nothing about today", async () => {
  const [path, text] = py;
  const page = "# Planer\n\n## Migrating from 1.x\n\n```python\nfrom planer.cut import cut\n\ncut(b)\n```\n";
  const before = new Map([
    [path, text],
    ["README.md", page],
  ]);
  const after = new Map([...before, [path, text.replace("depth=1", "depth")]]);
  expect(await stale(before, after)).toEqual([]);
});
