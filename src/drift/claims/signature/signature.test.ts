import { expect, test } from "vitest";
import { applySplices } from "../../../text/model/splice.ts";
import { driftBetween } from "../../drift-between.ts";

type Row = readonly [
  title: string,
  file: readonly [path: string, text: string],
  change: readonly [old: string, now: string],
  page: readonly [path: string, text: string],
  stale: readonly string[],
];

const py: Row[1] = [
  "forge/heat.py",
  'def temper(blade, degrees, medium="oil"):\n    if degrees > 900:\n        raise TooHot(degrees)\n    return blade\n\n\ndef melt(ore):\n    raise TooHot(ore)\n',
];
const ts: Row[1] = [
  "src/heat.ts",
  "export interface HeatOptions {\n  degrees: number;\n  medium?: string;\n}\nexport function temperBlade(blade: string, degrees: number): string {\n  return blade;\n}\n",
];
const java: Row[1] = [
  "src/main/java/org/forge/Forge.java",
  "package org.forge;\n\npublic class Forge {\n    public Blade temper(Blade blade, int degrees) { return blade; }\n}\n",
];
const c: Row[1] = ["include/forge.h", "int forge_temper(int blade, int degrees);\n"];
const md = (line: string): Row[3] => ["docs/heat.md", `# Heat\n\n${line}\n`];
const rst = (lines: string): Row[3] => ["docs/heat.rst", `Heat\n====\n\n${lines}\n`];
const directive =
  '.. function:: temper(blade, degrees, medium="oil")\n\n   Tempers it.\n\n   :param blade: what\n   :param degrees: how hot\n';

const rows: readonly Row[] = [
  [
    "a parameter more in untyped JavaScript, which callers may leave out",
    ["src/temper.js", "export function temper(blade, degrees) {\n  return blade;\n}\n"],
    ["degrees)", "degrees, hours)"],
    md("### temper(blade, degrees)"),
    [],
  ],
  [
    "a keyword more that callers may leave out, before the rest",
    ["forge/temper.py", "def temper(blade, *, degrees=800, **more):\n    return blade\n"],
    ["**more", "hours=1, **more"],
    md("### temper(blade, *, degrees=800, **more)"),
    [],
  ],
  [
    "a parameter that has another name",
    py,
    ["degrees, ", "celsius, "],
    md("`temper(blade, degrees)` hardens it."),
    ["`temper(blade, celsius)` hardens it."],
  ],
  [
    "the other word for nothing",
    [
      "src/find.ts",
      "export function findBlade(name: string): string | undefined {\n  return undefined;\n}\n",
    ],
    ["string | undefined", "string | null"],
    md("`findBlade(name)` returns `undefined` if there is none."),
    ["`findBlade(name)` returns `null` if there is none."],
  ],
  [
    "a method of Java that a fence shows without its class",
    java,
    ["int degrees)", "int degrees, int hours)"],
    ["docs/heat.md", "# Heat\n\n```java\npublic Blade temper(Blade blade, int degrees)\n```\n"],
    ["public Blade temper(Blade blade, int degrees, int hours)"],
  ],
  [
    "two parameters of Go with one type",
    ["heat.go", "package forge\n\nfunc Temper(degrees, hours int) error { return nil }\n"],
    ["degrees, hours int", "degrees, hours, blades int"],
    md("`Temper(degrees, hours int)` hardens it."),
    ["`Temper(degrees, hours int)` hardens it."],
  ],
  [
    "parameters that change places",
    py,
    ["blade, degrees", "degrees, blade"],
    md("`temper(blade, degrees)` hardens it."),
    ["`temper(degrees, blade)` hardens it."],
  ],
  [
    "a parameter more that callers must pass",
    py,
    ["degrees, ", "degrees, hours, "],
    md("`temper(blade, degrees)` hardens it."),
    ["`temper(blade, degrees, hours)` hardens it."],
  ],
  [
    "a parameter less",
    py,
    ["blade, degrees", "blade"],
    md("`temper(blade, degrees)` hardens it."),
    ["`temper(blade)` hardens it."],
  ],
  [
    "a heading",
    java,
    ["int degrees", "int degrees, int hours"],
    ["docs/heat.md", "# Heat\n\n## Forge.temper(blade, degrees)\n\nHardens.\n"],
    ["## Forge.temper(blade, degrees, hours)"],
  ],
  [
    "a directive and its fields",
    py,
    ["degrees, ", "celsius, "],
    rst(directive),
    ['.. function:: temper(blade, celsius, medium="oil")', ":param celsius: how hot"],
  ],
  [
    "a declaration in a fence",
    c,
    ["int degrees", "int degrees, int hours"],
    ["docs/heat.md", "# Heat\n\n```c\nint forge_temper(int blade, int degrees);\n```\n"],
    ["int forge_temper(int blade, int degrees, int hours);"],
  ],
  [
    "the result of a declaration in a fence",
    c,
    ["int forge", "long forge"],
    ["docs/heat.md", "# Heat\n\n```c\nint forge_temper(int blade, int degrees);\n```\n"],
    ["long forge_temper(int blade, int degrees);"],
  ],
  [
    "a result in a sentence",
    java,
    ["Blade temper", "Edge temper"],
    md("`Forge.temper(blade, degrees)` returns a `Blade`."),
    ["`Forge.temper(blade, degrees)` returns an `Edge`."],
  ],
  [
    "an error in a sentence",
    py,
    ["raise TooHot", "raise Overheated"],
    md("`forge.temper(blade, degrees)` raises a `TooHot`."),
    ["`forge.temper(blade, degrees)` raises an `Overheated`."],
  ],
  [
    "a list that says what is optional",
    ts,
    ["medium?: string", "medium: string"],
    md("- `degrees` (required): how hot\n- `medium` (optional): water or oil"),
    ["- `medium` (required): water or oil"],
  ],
  [
    "a column that says what is required",
    ts,
    ["medium?: string", "medium: string"],
    md("| Option | Required |\n| --- | --- |\n| `medium` | no |"),
    ["| `medium` | yes |"],
  ],
  [
    "another name where callers use none",
    ts,
    ["degrees: number)", "celsius: number)"],
    md("`temperBlade(blade, degrees)` hardens it."),
    [],
  ],
  [
    "an optional parameter more",
    py,
    ['medium="oil"', 'medium="oil", hours=1'],
    md("`temper(blade, degrees)` hardens it."),
    [],
  ],
  [
    "an optional parameter more than a declaration in a fence that had all",
    [
      "src/Forge.cs",
      "public class Forge\n{\n    public bool Temper(string blade, int degrees) => true;\n}\n",
    ],
    ["int degrees)", "int degrees, bool wet = false)"],
    md("```csharp\npublic bool Temper(string blade, int degrees)\n```"),
    ["public bool Temper(string blade, int degrees, bool wet = false)"],
  ],
  [
    "the result of a declaration without parameters in a fence",
    ["src/lib.rs", "pub struct Kiln;\nimpl Kiln {\n    pub fn len(&self) -> usize { 1 }\n}\n"],
    ["usize", "u64"],
    md("```rust\nfn len(&self) -> usize\n```"),
    ["fn len(&self) -> u64"],
  ],
  [
    "the result of a declaration whose type a parameter has too",
    [
      "src/Kiln.php",
      "<?php\nclass Kiln {\n    public function heat(string $wood): string { return $wood; }\n}\n",
    ],
    ["): string", "): int"],
    md("```php\npublic function heat(string $wood): string\n```"),
    ["public function heat(string $wood): int"],
  ],
  [
    "an everyday name below the heading of its type",
    ["src/Kiln.java", "public class Kiln {\n    public String heat(String wood) { return wood; }\n}\n"],
    ["String wood)", "String wood, int hours)"],
    ["docs/kiln.md", "# Kiln\n\n| Method | |\n| --- | --- |\n| `heat(String wood)` | heats |\n"],
    ["| `heat(String wood, int hours)` | heats |"],
  ],
  [
    "a method below the directive of its class, where another class has the same",
    [
      "forge/kiln.py",
      "class Kiln:\n    def heat(self, wood, hours=1): ...\n\nclass GasKiln:\n    def heat(self, wood, hours=1): ...\n",
    ],
    ["hours=1", "days=1"],
    rst(".. class:: Kiln(size)\n\n   Burns.\n\n   .. method:: heat(wood, hours=1)\n\n      Heats."),
    [".. method:: heat(wood, days=1)"],
  ],
  [
    "a function of Go that a fence declares, where a method has its name",
    [
      "forge.go",
      "package forge\n\nfunc Heat(wood string, hours int) error { return nil }\n\nfunc (Kiln) Heat(wood string, hours int) error { return nil }\n",
    ],
    [
      "Heat(wood string, hours int) error { return nil }\n\nfunc (K",
      "Heat(wood string) error { return nil }\n\nfunc (K",
    ],
    md("```go\nfunc Heat(wood string, hours int) error\n```"),
    ["func Heat(wood string) error"],
  ],
  [
    "a method of Go with the name of a function that a fence declares",
    [
      "forge.go",
      "package forge\n\nfunc Heat(wood string, hours int) error { return nil }\n\nfunc (Kiln) Heat(wood string, hours int) error { return nil }\n",
    ],
    ["(Kiln) Heat(wood string, hours int)", "(Kiln) Heat(wood string)"],
    md("```go\nfunc Heat(wood string, hours int) error\n```"),
    [],
  ],
  [
    "parameters that a page shows in brackets because they may be left out, and types with brackets",
    [
      "forge/heat.py",
      "def temper_all(blades: dict[str, int], hours: int = 1, oil: str = ''):\n    return blades\n",
    ],
    [", oil: str = ''", ""],
    md("`temper_all(blades: dict[str, int][, hours[, oil]])` hardens all."),
    ["`temper_all(blades: dict[str, int][, hours[, oil]])` hardens all."],
  ],
  ["a call with values", py, ["degrees, ", "celsius, "], md("Try `temper(sword, 200)`."), []],
  [
    "a function of another type",
    java,
    ["int degrees", "int degrees, int hours"],
    md("`Kiln.temper(blade, degrees)` hardens it."),
    [],
  ],
  [
    "a sentence about the past",
    py,
    ["degrees, ", "celsius, "],
    md("Before v2 it was `temper(blade, degrees)`."),
    [],
  ],
  [
    "a section about migration",
    py,
    ["degrees, ", "celsius, "],
    ["docs/heat.md", "# Heat\n\n## Migrating\n\n`temper(blade, degrees)` hardens it.\n"],
    [],
  ],
  [
    "an everyday name with one parameter",
    ["forge/heat.py", "def get(blade):\n    return blade\n"],
    ["(blade)", "(blade, hours)"],
    md("Call `get(blade)`."),
    [],
  ],
];

for (const [title, [path, text], [old, now], [pagePath, page], expected] of rows)
  test(title, async () => {
    expect(text).toContain(old);
    const before = new Map([
      [path, text],
      [pagePath, page],
    ]);
    const { findings } = await driftBetween(before, new Map([...before, [path, text.replace(old, now)]]));
    const said = findings.filter(({ kind, tier }) => kind === "signature" && tier !== "possible");
    const lines = said.map(({ startLine, edits }) => {
      const splices = edits.map(({ target, ...edit }) => ({
        region: (target as { region: { start: number; end: number } }).region,
        text: (edit as { text: string | null }).text ?? "",
      }));
      return applySplices(page, splices).split("\n")[startLine - 1]!.trim();
    });
    expect(lines).toEqual(expected);
  });
