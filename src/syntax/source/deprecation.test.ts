import { expect, test } from "vitest";
import { outlineSource } from "./source.ts";

const ROWS: [name: string, path: string, lines: string[], marked: string[]][] = [
  [
    "JSDoc, on the declaration that carries it",
    "a.ts",
    [
      "/** @deprecated use b */",
      "export function a() {}",
      "/** Replaces the @deprecated one. */",
      "export function b() {}",
      "/**",
      " * C.",
      " * @deprecated since 2",
      " */",
      "export class C {",
      "  /** @deprecated */",
      "  d = 1;",
      "  e = 2;",
      "}",
      'export const f = "@deprecated", g = 1;',
    ],
    ["a: @deprecated use b */", "C: @deprecated since 2", "C.d: @deprecated */"],
  ],
  [
    "decorators of TypeScript",
    "a.ts",
    ["@deprecated()", "export class A {", "  @deprecated b() {}", "  @old c() {}", "}", "class D {}"],
    ["A: @deprecated()", "A.b: @deprecated"],
  ],
  [
    "annotations of Java and its javadoc",
    "A.java",
    [
      "public class A {",
      '  @Deprecated(since = "2") public void b() {}',
      '  @SuppressWarnings("deprecation") public void c() {}',
      "  /**",
      "   * @deprecated use c",
      "   */",
      "  public int d;",
      "}",
    ],
    ['A.b: @Deprecated(since = "2")', "A.d: @deprecated use c"],
  ],
  [
    "annotations of Kotlin",
    "a.kt",
    [
      "package x",
      '@Deprecated("x")',
      "fun a() {}",
      "fun b() {}",
      'class C(@Deprecated("y") val d: Int, val e: Int)',
    ],
    ['a: @Deprecated("x")', 'C.d: @Deprecated("y")'],
  ],
  [
    "attributes of Rust",
    "a.rs",
    [
      '#[deprecated(since = "1", note = "x")]',
      "pub fn a() {}",
      "#[allow(unused, deprecated)]",
      "pub fn b() {}",
      "pub struct C {",
      "  #[deprecated]",
      "  pub d: i32,",
      "  pub e: i32,",
      "}",
    ],
    ['a: #[deprecated(since = "1", note = "x")]', "C.d: #[deprecated]"],
  ],
  [
    "paragraphs of Go",
    "a.go",
    [
      "package a",
      "// A does.",
      "//",
      "// Deprecated: use B.",
      "func A() {}",
      "// B replaces A. It is not",
      "// Deprecated: as A is.",
      "func B() {}",
      "// Deprecated: use D.",
      "const C = 1",
    ],
    ["A: Deprecated: use B.", "C: Deprecated: use D."],
  ],
  [
    "decorators and directives of Python",
    "a.py",
    [
      '@warnings.deprecated("x")',
      "def a(): ...",
      "@deprecate_kwarg('x')",
      "def b(): ...",
      "def c():",
      '    """C.',
      "",
      "    .. deprecated:: 1.0",
      '    """',
      "def d(x):",
      '    """D.',
      "",
      "    x : int",
      "        .. deprecated:: 1.0",
      '    """',
    ],
    ['a: @warnings.deprecated("x")', "c: .. deprecated:: 1.0"],
  ],
  [
    "attributes of C#",
    "A.cs",
    ['public class A { [Obsolete("x")] public void B() {} public void C() {} }'],
    ['A.B: [Obsolete("x")]'],
  ],
  [
    "attributes of PHP",
    "a.php",
    [
      "<?php",
      "#[\\Deprecated]",
      "function a() {}",
      "/** @deprecated */",
      "function b() {}",
      "function c() {}",
    ],
    ["a: #[\\Deprecated]", "b: @deprecated */"],
  ],
  [
    "attributes of Swift",
    "a.swift",
    ["@available(*, deprecated)", "public func a() {}", "@available(iOS 13, *)", "public func b() {}"],
    ["a: @available(*, deprecated)"],
  ],
  [
    "attributes of C++",
    "a.cpp",
    ["[[deprecated]] int a();", "int b();", "__attribute__((deprecated)) int c();"],
    ["a: [[deprecated]]", "c: __attribute__((deprecated))"],
  ],
  ["tags of Ruby", "a.rb", ["# @deprecated use b", "def a; end", "def b; end"], ["a: @deprecated use b"]],
];

test.each(ROWS)("deprecation: %s", async (_, path, lines, marked) => {
  const text = lines.join("\n");
  const { declarations } = await outlineSource(path, text);
  expect(
    declarations.flatMap(({ path: names, deprecated }) =>
      deprecated ? [`${names.join(".")}: ${text.slice(deprecated.start, deprecated.end)}`] : [],
    ),
  ).toEqual(marked);
});

test("a declaration with another name outside its file has that name", async () => {
  const text = [
    "function a() {}",
    "const b = 1, c = 2;",
    "export { a as one, b, c as default };",
    "export default class D {}",
    "export function e() {}",
  ].join("\n");
  const { declarations } = await outlineSource("a.ts", text);
  expect(declarations.map(({ name, exportedAs }) => `${name} ${exportedAs ?? "-"}`)).toEqual([
    "a one",
    "b -",
    "c default",
    "D default",
    "e -",
  ]);
});
