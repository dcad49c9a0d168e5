import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
};

export type Source = {
  readonly path: string;
  /** Without comments, which are blanked so that offsets and lines stay. */
  readonly code: string;
  readonly lines: number;
  /** Every node, outermost first. */
  readonly nodes: readonly Node[];
  lineAt(offset: number): number;
};

/** The product's sources below a root, without tests. */
export function loadSources(root: string): Source[] {
  const paths = globSync("{src,packages/*/{src,page}}/**/*.{ts,tsx}", { cwd: root }).map((path) =>
    path.replaceAll("\\", "/"),
  );
  return paths
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(root, path), "utf8")));
}

export function parseSource(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  let code = text;
  for (const { start, end } of comments)
    code = code.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, " ") + code.slice(end);
  const breaks = Array.from(text.matchAll(/\n/g), ({ index }) => index);
  return {
    path,
    code,
    lines: breaks.length,
    nodes: collectNodes(program, []),
    lineAt: (offset) => countBelow(breaks, offset) + 1,
  };
}

function collectNodes(value: unknown, nodes: Node[]): Node[] {
  if (Array.isArray(value)) for (const item of value) collectNodes(item, nodes);
  else if (isNode(value)) {
    nodes.push(value);
    for (const key in value) if (typeof value[key] === "object") collectNodes(value[key], nodes);
  }
  return nodes;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "type" in value;
}

function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
