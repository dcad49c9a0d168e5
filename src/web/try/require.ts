// Stands for node:module in the browser: the two packages that the rooms load late are in the script of the page.
import * as parser from "web-tree-sitter";
import * as yaml from "yaml";

export function createRequire(): (name: string) => unknown {
  const packages: Readonly<Record<string, unknown>> = { yaml, "web-tree-sitter": parser };
  return Object.assign((name: string) => packages[name], { cache: {} });
}
