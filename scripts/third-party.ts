import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GRAMMARS } from "../src/syntax/languages/registry.ts";

/** A package of another maker: inside the tarball, or installed beside it. */
export type Part = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
};

type Locked = { readonly dependencies?: Readonly<Record<string, string>> };

/** What the pages of the review are built with, and what is copied beside `dist`: no trace in the built files names them. */
const copied = ["preact", "web-tree-sitter", "tree-sitter-wasm", "@tree-sitter-grammars/tree-sitter-kotlin"];

/** The packages whose code is in our tarball. `dist` must have been built: the builder marks what it took from where. */
export function bundledParts(): Part[] {
  const marked = globSync("dist/**/*.js").flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(
        /^\/\/(?:#region)? (?:\S*\/)?node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm,
      ),
    ].map((match) => match[1]!),
  );
  return [...new Set([...copied, ...marked])].sort().map(readPart);
}

/** The packages whose code is in the tarball of the fleet: its page is built with one. */
export function bundledWithFleet(): Part[] {
  return [readPart("preact")];
}

/** The packages that npm installs along with ours. */
export function installedParts(): Part[] {
  return installedWith("").map(readPart);
}

/** The names of those that npm installs along with the package in a folder of this repository; "" is its root. */
export function installedWith(folder: string): string[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, Locked>;
  };
  const found = new Set<string>();
  const follow = ({ dependencies = {} }: Locked): void => {
    for (const name of Object.keys(dependencies)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(packages[`node_modules/${name}`]!);
    }
  };
  follow(packages[folder]!);
  return [...found].sort();
}

function readPart(name: string): Part {
  const folder = join("node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.\w+)?$/i.test(entry));
  if (file === undefined || !about.license) throw new Error(`${name} comes without a licence: look into it`);
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  return { name, version: about.version!, licence: about.license, text };
}

/** The notice that is packed: who made what, and the terms of each, in full. */
export function printNotice(bundled: readonly Part[], more: readonly string[] = []): string {
  return [
    "Suture itself is under the MIT licence, see LICENSE. This file lists the work of others.",
    ...printChapter("Code in this package", bundled),
    ...more,
    "",
  ].join("\n\n");
}

/** The notice of what comes along: the grammars, and what npm installs. */
export function accompanying(installed: readonly Part[]): string[] {
  return [rule, printGrammars(), ...printChapter("Packages that npm installs along with it", installed)];
}

const rule = "-".repeat(80);

function printChapter(title: string, parts: readonly Part[]): string[] {
  const list = parts.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`).join("\n");
  const texts = parts.map(({ name, version, text }) => `${rule}\n\n${name} ${version}\n\n${text}`);
  return [`${title}\n${"=".repeat(title.length)}`, list, ...texts];
}

/** The makers of the grammars, whose terms the package that builds them for the web does not repeat. */
function printGrammars(): string {
  const makers = GRAMMARS.map(({ name, maker }) => `- ${name}: Copyright (c) ${maker}`).join("\n");
  const terms = readFileSync("LICENSE", "utf8");
  const permission = terms.slice(terms.indexOf("Permission is hereby")).trim();
  return `Grammars of tree-sitter, each under the MIT licence\n\n${makers}\n\n${permission}`;
}
