import { describe, expect, test } from "vitest";
import { outlineDocument } from "./formats/outline.ts";
import { outlineSource } from "./source/source.ts";
import { locateSection, locateSymbol, locateWithin } from "./symbols.ts";

const page =
  "# Top\nintro\n## Install\na\n### Linux\nb\n## Usage\nc\n### Options\nd\n## `run()` it\ne\n## Other\n### Options\nf\n";

function section(name: string, text = page, path = "a.md"): string {
  const found = locateSection(text, outlineDocument(path, text), name);
  return found.ok ? text.slice(found.value.start, found.value.end) : found.refusal.code;
}

describe("sections", () => {
  test.each([
    ["by words", "Linux", "### Linux\nb\n"],
    ["with its level", "## Install", "## Install\na\n### Linux\nb\n"],
    ["by its anchor", "#usage", "## Usage\nc\n### Options\nd\n"],
    ["by a path", "Usage > Options", "### Options\nd\n"],
    ["by a path that skips levels", "Top > Other > Options", "### Options\nf\n"],
    ["without the marks in its words", "run() it", "## `run()` it\ne\n"],
    ["in another case", "INSTALL", "## Install\na\n### Linux\nb\n"],
    ["the last one reaches the end", "Other", "## Other\n### Options\nf\n"],
    ["the wrong level", "# Install", "not-found"],
    ["twice", "Options", "ambiguous"],
    ["unknown", "Nothing", "not-found"],
  ])("%s", (_, name, expected) => {
    expect(section(name)).toBe(expected);
  });

  test("a heading that has an arrow in its words", () => {
    expect(section("A > B", "# A > B\nx\n")).toBe("# A > B\nx\n");
  });

  test("sections of other formats are located", () => {
    expect(section("B", "A\n=\n\nB\n-\n\nx\n\nC\n-\n", "a.rst")).toBe("B\n-\n\nx\n\n");
    expect(section("== B", "= A\n\n== B\n\nx\n\n== C\n", "a.adoc")).toBe("== B\n\nx\n\n");
  });

  test("an ambiguous name lists its places and what they are under", () => {
    const found = locateSection(page, outlineDocument("a.md", page), "Options");
    expect(found).toMatchObject({
      ok: false,
      refusal: {
        code: "ambiguous",
        count: 2,
        places: [
          { line: 9, near: "Usage", text: "### Options" },
          { line: 14, near: "Other" },
        ],
      },
    });
  });

  test("an unknown name offers the nearest", () => {
    const found = locateSection(page, outlineDocument("a.md", page), "Instal");
    expect(found).toMatchObject({
      ok: false,
      refusal: { code: "not-found", what: "section", candidates: ["Install"] },
    });
  });
});

const code = `
export class Foo {
  bar(a: string): void;
  bar(a: any) { return 1 }
  get size() { return 0 }
  set size(v) {}
}
export class Other { bar() {} }
export function bar() {}
namespace Deep { export class Inner { go() {} } }
`;

async function symbol(name: string, text = code, path = "a.ts"): Promise<string> {
  const found = locateSymbol(text, await outlineSource(path, text), name);
  return found.ok ? found.value.path.join(".") : found.refusal.code;
}

describe("symbols", () => {
  test.each([
    ["a top-level name wins over a member", "bar", "bar"],
    ["dots", "Foo.bar", "Foo.bar"],
    ["colons", "Foo::bar", "Foo.bar"],
    ["a hash", "Other#bar", "Other.bar"],
    ["kinds", "class Foo > method bar", "Foo.bar"],
    ["a call", "Foo.bar()", "Foo.bar"],
    ["outer holders left out", "Inner.go", "Deep.Inner.go"],
    ["with modifiers", "export function bar", "bar"],
    ["the wrong kind", "class bar", "not-found"],
    ["the wrong kind of holder", "interface Foo > bar", "not-found"],
    ["a pair of accessors", "Foo.size", "ambiguous"],
    ["unknown", "Foo.baz", "not-found"],
    ["nothing", "", "not-found"],
  ])("%s", async (_, name, expected) => {
    expect(await symbol(name)).toBe(expected);
  });

  test("of several overloads, the one with a body is located", async () => {
    const found = locateSymbol(code, await outlineSource("a.ts", code), "Foo.bar");
    expect(found.ok && code.slice(found.value.region.start, found.value.region.end)).toBe(
      "bar(a: any) { return 1 }",
    );
  });

  test.each([
    ["a.rs", "struct Foo; impl Foo { fn new() {} }", "Foo::new", "Foo.new"],
    ["a.py", "class A:\n  def b(self): pass", "A > def b", "A.b"],
    ["a.go", "package a\ntype T struct{}\nfunc (t *T) Run() {}", "T.Run", "T.Run"],
    ["a.swift", "class A {}\nextension A { func b() {} }", "A", "A"],
    ["a.rb", "class A\n  def b?; end\nend", "A#b?", "A.b?"],
  ])("in %s", async (path, text, name, expected) => {
    expect(await symbol(name, text, path)).toBe(expected);
  });

  test("a symbol of a language without a grammar is refused", async () => {
    expect(await symbol("a", "a", "a.zig")).toBe("unavailable");
  });

  test("`within` means a section in a page and a declaration in code", async () => {
    expect(await locateWithin("a.md", page, "Linux")).toMatchObject({ ok: true });
    expect(await locateWithin("a.ts", code, "Other")).toMatchObject({ ok: true });
    expect(await locateWithin("LICENSE", "text", "Other")).toMatchObject({ ok: false });
  });
});
