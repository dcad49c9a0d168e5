import { expect, test } from "vitest";
import { applySplices } from "../../../text/model/splice.ts";
import { driftBetween } from "../../drift-between.ts";

type Manifest = readonly [path: string, before: string, after: string];

const node = (before: string, after: string, path = "package.json"): Manifest => [
  path,
  `{ "name": "gull", "engines": { "node": "${before}" } }\n`,
  `{ "name": "gull", "engines": { "node": "${after}" } }\n`,
];
const go = (before: string, after: string): Manifest => [
  "go.mod",
  `module example.org/gull\n\ngo ${before}\n`,
  `module example.org/gull\n\ngo ${after}\n`,
];
const rust = (before: string, after: string, path = "Cargo.toml"): Manifest => [
  path,
  `[package]\nname = "gull"\nrust-version = "${before}"\n`,
  `[package]\nname = "gull"\nrust-version = "${after}"\n`,
];
const python = (before: string, after: string): Manifest => [
  "pyproject.toml",
  `[tool.poetry.dependencies]\npython = "${before}"\n`,
  `[tool.poetry.dependencies]\npython = "${after}"\n`,
];
const ruby = (before: string, after: string): Manifest => [
  "gull.gemspec",
  `Gem::Specification.new do |s|\n  s.required_ruby_version = "${before}"\nend\n`,
  `Gem::Specification.new do |s|\n  s.required_ruby_version = "${after}"\nend\n`,
];
const file = (path: string, before: string, after: string, ...versions: [string, string][]): Manifest => {
  const [[was, is]] = versions as [[string, string]];
  return [path, before + was + after, before + is + after];
};

/** The page after the edits of the version findings; null where there are none. */
async function repaired(
  [path, before, after]: Manifest,
  text: string,
  { page = "README.md", rest = {} }: { page?: string; rest?: Record<string, string> } = {},
): Promise<string | null> {
  const same = [[page, text], ...Object.entries(rest)] as const;
  const { findings } = await driftBetween(
    new Map([[path, before], ...same]),
    new Map([[path, after], ...same]),
  );
  const said = findings.filter(({ kind }) => kind === "version");
  if (said.length === 0) return null;
  const splices = said
    .flatMap(({ edits }) => edits)
    .flatMap((edit) =>
      "region" in edit.target && "text" in edit ? [{ region: edit.target.region, text: edit.text }] : [],
    );
  return applySplices(text, splices);
}

test.each<[title: string, manifest: Manifest, page: string, repaired: string]>([
  [
    "a floor in a sentence",
    node(">=18", ">=20"),
    "# Gull\n\nRequires Node 18 or newer.\n",
    "Requires Node 20 or newer.",
  ],
  [
    "a sentence about the package on a page without a title",
    node(">=18", ">=20"),
    "<p>Logo</p>\n\nGULL is small.\n\n## Dependencies\n\nGULL requires Node 18+.\n",
    "GULL requires Node 20+.",
  ],
  [
    "a floor beside a badge whose address is no text",
    node(">=18", ">=20"),
    "# Gull\n\n![a](https://img.shields.io/badge/node%E0%A4-18-green)\n\nRequires Node 18 or newer.\n",
    "Requires Node 20 or newer.",
  ],
  [
    "a version told before its meaning, behind a word with a colon",
    python(">=3.8", ">=3.10"),
    "# Gull\n\nImportant: Python 3.8 is the minimum version we support.\n",
    "Important: Python 3.10 is the minimum version we support.",
  ],
  [
    "a demand in brackets behind the product",
    python(">=3.8", ">=3.10"),
    "# Gull\n\n## Installation\n\n1. Install a recent version of Python (we require at least 3.8).\n",
    "1. Install a recent version of Python (we require at least 3.10).",
  ],
  [
    "a patch release in the manifest",
    go("1.25.0", "1.26.0"),
    "# Gull\n\nRequires Go 1.25 or later.\n",
    "Requires Go 1.26 or later.",
  ],
  [
    "a caret and a patch",
    python("^3.8.1", "^3.10"),
    "# Gull\n\nPython 3.8 or later\n",
    "Python 3.10 or later",
  ],
  [
    "a sentence over two lines",
    rust("1.74", "1.80"),
    "# Gull\n\nYou need Rust 1.74.0 or\nhigher to build.\n",
    "You need Rust 1.80.0 or\nhigher to build.",
  ],
  [
    "the support of compilers below another heading",
    rust("1.65", "1.70"),
    "# Gull\n\n## Overview\n\n*Compiler support: [requires `rustc` 1.65+][msrv]*\n",
    "`rustc` 1.70+",
  ],
  [
    "an interpreter of the language",
    ruby(">= 3.2", ">= 3.3"),
    "# Gull\n\n## Requirements\n\n- Ruby: MRI 3.2+ or JRuby 9.4+.\n",
    "MRI 3.3+ or JRuby 9.4+",
  ],
  [
    "a sentence that goes on",
    python(">=3.5", ">=3.6"),
    "# Gull\n\nThe tool requires ``Python 3.5+`` and the best is to use a fresh environment.\n",
    "``Python 3.6+``",
  ],
  [
    "a product and its version on two lines",
    rust("1.74", "1.80"),
    "# Gull\n\nGull needs at least Rust\n1.74.\n",
    "Rust\n1.80.",
  ],
  [
    "the minimum supported version by its short name",
    rust("1.74", "1.80"),
    "# Gull\n\n## MSRV\n\nThe MSRV is 1.74.\n",
    "The MSRV is 1.80.",
  ],
  [
    "a list of requirements",
    node(">=18.17", ">=20.11"),
    "# Gull\n\n## Prerequisites\n\n- [Node.js](https://nodejs.org) (v18.17 or higher)\n- Git\n",
    "(v20.11 or higher)",
  ],
  [
    "a table of requirements",
    node(">=18", ">=20"),
    "# Gull\n\n## Requirements\n\n| Tool | Version |\n| --- | --- |\n| Node.js | >= 18 |\n",
    "| Node.js | >= 20 |",
  ],
  [
    "several alternatives",
    node("^18 || >=20", "^20 || >=22"),
    "# Gull\n\nGull runs on Node.js 18+.\n",
    "Gull runs on Node.js 20+.",
  ],
  [
    "a badge and its words",
    python(">=3.8", ">=3.10"),
    "# Gull\n\n![Python 3.8+](https://img.shields.io/badge/python-3.8+-blue.svg)\n",
    "![Python 3.10+](https://img.shields.io/badge/python-3.10+-blue.svg)",
  ],
  [
    "an escaped badge",
    node(">=18", ">=20"),
    "# Gull\n\n![node](https://img.shields.io/badge/node-%3E%3D18-green)\n",
    "badge/node-%3E%3D20-green",
  ],
  [
    "a range keeps its end",
    python(">=3.8", ">=3.10"),
    "# Gull\n\nGull supports Python 3.8 to 3.13.\n",
    "Python 3.10 to 3.13.",
  ],
  [
    "two requirements in a sentence",
    node(">=18", ">=20"),
    "# Gull\n\nThis project requires Python 3.8 or newer and Node.js 18 or newer.\n",
    "Python 3.8 or newer and Node.js 20 or newer.",
  ],
  [
    "Java of Maven",
    file("pom.xml", "<project><properties><java.version>", "</java.version></properties></project>\n", [
      "11",
      "17",
    ]),
    "# Gull\n\nRequires Java 11 or later.\n",
    "Requires Java 17 or later.",
  ],
  [
    "Java of Gradle",
    file("build.gradle", "sourceCompatibility = '", "'\n", ["11", "17"]),
    "# Gull\n\nYou need JDK 11 or newer.\n",
    "You need JDK 17 or newer.",
  ],
  [
    "what to do before something",
    node(">=18", ">=20"),
    "# Gull\n\nBefore you begin, make sure you have Node.js 18 or later.\n",
    "Node.js 20 or later",
  ],
  [
    "a package of a vendor by its own name",
    file("composer.json", '{"name": "acme/tweed", "require": {"php": "^', '"}}\n', ["8.1", "8.3"]),
    "# Installation\n\nTweed requires PHP 8.1+ and an extension.\n",
    "PHP 8.3+",
  ],
  [
    "Elixir",
    file("mix.exs", '  [app: :gull, elixir: "~> ', '"]\n', ["1.12", "1.15"]),
    "# Gull\n\nGull requires Elixir 1.12 or later.\n",
    "Elixir 1.15 or later",
  ],
  [
    "CMake",
    file("CMakeLists.txt", "cmake_minimum_required(VERSION ", ")\n", ["3.16", "3.22"]),
    "# Gull\n\n## Building\n\nCMake 3.16 or newer is required.\n",
    "CMake 3.22 or newer",
  ],
])("%s is brought up to date", async (_title, manifest, page, expected) => {
  expect(await repaired(manifest, page)).toContain(expected);
});

test.each<[title: string, manifest: Manifest, page: string]>([
  ["a remark in brackets", python(">=3.6", ">=3.8"), "# Gull\n\nCan yield. (Python 3.6+)\n"],
  ["what a version does", python(">=3.6", ">=3.8"), "# Gull\n\nWith Python 3.6 the import is slow.\n"],
  ["a fault of a version", node(">=18", ">=20"), "# Gull\n\n## Install\n\nNode 18 has a bug.\n"],
  ["the reader's runtime", node(">=18", ">=20"), "# Gull\n\n- You are running Node.js 18 or later.\n"],
  [
    "what will be dropped",
    ruby(">= 3.1", ">= 3.2"),
    "# Gull\n\nGull supports Ruby 3.1 or newer; 3.1 will be dropped soon.\n",
  ],
  ["what is removed soon", ruby(">= 3.1", ">= 3.2"), "# Gull\n\nWe will remove EOL Ruby 3.1 soon.\n"],
  ["older versions", node(">=18", ">=20"), "# Gull\n\nUse the older runtime (Node.js 18 and earlier).\n"],
  ["an older release line", node(">=18", ">=20"), "# Gull\n\nGull 4.x runs on Node 18 or newer.\n"],
  ["a feature", rust("1.84", "1.85"), "# Gull\n\n## Features\n\nThe `simd` feature requires Rust 1.84+.\n"],
  [
    "a feature in brackets",
    rust("1.84", "1.85"),
    "# Gull\n\nAsync closures (requires Rust 1.84+) are supported.\n",
  ],
  [
    "a feature of a list",
    rust("1.84", "1.85"),
    "# Gull\n\n## Features\n\n- `simd`: faster. Requires Rust 1.84+.\n",
  ],
  ["one platform", python(">=3.8", ">=3.10"), "# Gull\n\nRequires Python 3.8 or newer on Windows.\n"],
  ["versions that were tried", node(">=18", ">=20"), "# Gull\n\nGull was tested with Node 18.\n"],
  ["both sides of a version", go("1.17", "1.20"), "# Gull\n\nGo < 1.17 needs `go get`.\n"],
  [
    "a section about a release",
    node(">=18", ">=20"),
    "# Gull\n\n## Upgrading to 3.0\n\nGull requires Node 18 or newer.\n",
  ],
])("a page that tells of %s claims nothing", async (_title, manifest, page) => {
  expect(await repaired(manifest, page)).toBeNull();
});

test("a version that is right as far as the page writes it stays", async () => {
  expect(await repaired(node(">=18.17", ">=18.20"), "# Gull\n\nRequires Node 18 or newer.\n")).toBeNull();
});

test("a version whose link leads to it is left to a person", async () => {
  const page = "# Gull\n\nGull requires Go version [1.25](https://go.dev/doc/release#go1.25.0) or above.\n";
  expect(await repaired(go("1.25", "1.26"), page)).toBe(page);
});

test("what is so as of a release is told, and left to a person", async () => {
  const page = "<p>Logo</p>\n\n> As of v8.0.0, Gull requires Node.js v10.12.0 or newer.\n";
  expect(await repaired(node(">= 10.12.0", ">= 12.0.0"), page)).toBe(page);
});

test("an example is a package of its own", async () => {
  const page = "examples/hello/README.md";
  const text = "# Hello\n\nRequires Node 18 or newer.\n";
  expect(await repaired(node(">=18", ">=20"), text, { page })).toBeNull();
  const rest = { [page.replace("README.md", "package.json")]: `{ "name": "hello" }\n` };
  expect(await repaired(node(">=18", ">=20"), text, { page, rest })).toBeNull();
});

test("a page below the manifest of a documentation site speaks for the project", async () => {
  const rest = { "docs/package.json": `{ "name": "site", "engines": { "node": ">=22" } }\n` };
  const text = "# Install\n\nRequires Node 18 or newer.\n";
  expect(await repaired(node(">=18", ">=20"), text, { page: "docs/install.md", rest })).toContain("Node 20");
});

test("a crate that inherits its version follows the workspace", async () => {
  const manifest: Manifest = [
    "Cargo.toml",
    `[workspace.package]\nrust-version = "1.74"\n`,
    `[workspace.package]\nrust-version = "1.80"\n`,
  ];
  const rest = { "crates/gull/Cargo.toml": `[package]\nname = "gull"\nrust-version.workspace = true\n` };
  const text = "# gull\n\nMinimum supported Rust version: 1.74\n";
  expect(await repaired(manifest, text, { page: "crates/gull/README.md", rest })).toContain("1.80");
});

test("a floor of a service is no claim about the image that the stack uses", async () => {
  const image = (tag: string): string => `services:\n  db:\n    image: postgres:${tag}\n`;
  const manifest: Manifest = ["compose.yaml", image("14"), image("17")];
  expect(await repaired(manifest, "# Gull\n\nGull works with PostgreSQL 14 and later.\n")).toBeNull();
  expect(await repaired(manifest, "# Gull\n\nThe stack includes PostgreSQL 14.\n")).toContain(
    "PostgreSQL 17.",
  );
});
