import type { DataEntry, DataNode, DataScan } from "./data.ts";

const DEEPEST = 200;

/**
 * JSON with every value's place. Comments and trailing commas are allowed where `comments` says so, as
 * configuration files have them. Reads as far as the text makes sense; never throws.
 */
export function scanJson(text: string, { comments = false } = {}): DataScan {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let trouble: DataScan["trouble"];
  const root = readValue(0);
  skipGap();
  if (at < text.length) fail("more than one value");
  return { ...(root && { root }), ...(trouble && { trouble }) };

  function fail(why: string): undefined {
    trouble ??= { offset: Math.min(at, text.length), why };
    return undefined;
  }

  function skipGap(): void {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 32 || code === 9 || code === 10 || code === 13) continue;
      if (code !== 47 || !comments) return;
      const end =
        text[at + 1] === "/"
          ? text.indexOf("\n", at)
          : text[at + 1] === "*"
            ? text.indexOf("*/", at + 2) + 1
            : 0;
      if (end === 0) return;
      at = end < 0 ? text.length : end;
    }
  }

  function readValue(depth: number): DataNode | undefined {
    skipGap();
    if (depth > DEEPEST) return fail("nested too deep");
    const code = text.charCodeAt(at);
    if (code === 123) return readMap(depth);
    if (code === 91) return readList(depth);
    if (code === 34) return readString();
    const start = at;
    while (at < text.length && /[-+\w.]/.test(text[at]!)) at++;
    const word = text.slice(start, at);
    if (!/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/.test(word.slice(0, 400))) {
      at = start;
      return fail(start >= text.length ? "a value is missing" : "not a value");
    }
    return { kind: "scalar", region: { start, end: at }, value: word };
  }

  function readString(): DataNode | undefined {
    const start = ++at;
    let escaped = false;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 34) break;
      if (code === 10 || code === 13) return fail("a string is not closed on its line");
      if (code === 92) {
        escaped = true;
        at++;
      }
    }
    if (at >= text.length) return fail("a string is not closed");
    const region = { start, end: at++ };
    const raw = text.slice(start, region.end);
    return { kind: "scalar", region, value: escaped ? unescaped(raw) : raw };
  }

  function readMap(depth: number): DataNode | undefined {
    const start = at++;
    const entries: DataEntry[] = [];
    for (;;) {
      skipGap();
      if (text.charCodeAt(at) === 125 && (entries.length === 0 || comments)) break;
      if (text.charCodeAt(at) !== 34) return partial(start, { entries }, "a key is missing");
      const key = readString();
      skipGap();
      if (!key || text.charCodeAt(at) !== 58) return partial(start, { entries }, "a colon is missing");
      at++;
      const node = readValue(depth + 1);
      if (!node) return partial(start, { entries }, "a value is missing");
      entries.push({ key: key.value!, keyRegion: key.region, node });
      skipGap();
      if (text.charCodeAt(at) === 44) at++;
      else if (text.charCodeAt(at) === 125) break;
      else return partial(start, { entries }, "a comma is missing");
    }
    return { kind: "map", region: { start, end: ++at }, entries };
  }

  function readList(depth: number): DataNode | undefined {
    const start = at++;
    const items: DataNode[] = [];
    for (;;) {
      skipGap();
      if (text.charCodeAt(at) === 93 && (items.length === 0 || comments)) break;
      const node = readValue(depth + 1);
      if (!node) return partial(start, { items }, "a value is missing");
      items.push(node);
      skipGap();
      if (text.charCodeAt(at) === 44) at++;
      else if (text.charCodeAt(at) === 93) break;
      else return partial(start, { items }, "a comma is missing");
    }
    return { kind: "list", region: { start, end: ++at }, items };
  }

  /** What was read before the trouble is still worth having. */
  function partial(start: number, read: Pick<DataNode, "entries" | "items">, why: string): DataNode {
    fail(why);
    return {
      kind: read.entries ? "map" : "list",
      region: { start, end: Math.min(at, text.length) },
      ...read,
    };
  }
}

function unescaped(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
