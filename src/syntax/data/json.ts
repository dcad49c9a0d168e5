import { defined } from "../../text/model/defined.ts";
import type { DataEntry, DataNode, DataScan } from "./data.ts";

const DEEPEST = 200;

/**
 * JSON with every value's place. Comments and trailing commas are allowed where `comments` says so, as
 * configuration files have them. Reads as far as the text makes sense; never throws.
 */
export function scanJson(text: string, { comments = false } = {}): DataScan {
  return new JsonScanner(text, { comments }).scan();
}

class JsonScanner {
  readonly #text: string;
  readonly #comments: boolean;
  #at: number;
  #trouble: DataScan["trouble"];

  constructor(text: string, { comments }: { readonly comments: boolean }) {
    this.#text = text;
    this.#comments = comments;
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  scan(): DataScan {
    const root = this.#readValue(0);
    this.#skipGap();
    if (this.#at < this.#text.length) this.#fail("more than one value");
    return defined({ root, trouble: this.#trouble });
  }

  #fail(why: string): undefined {
    this.#trouble ??= { offset: Math.min(this.#at, this.#text.length), why };
    return undefined;
  }

  #skipGap(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 32 || code === 9 || code === 10 || code === 13) continue;
      if (code !== 47 || !this.#comments) return;
      const end =
        this.#text[this.#at + 1] === "/"
          ? this.#text.indexOf("\n", this.#at)
          : this.#text[this.#at + 1] === "*"
            ? this.#text.indexOf("*/", this.#at + 2) + 1
            : 0;
      if (end === 0) return;
      this.#at = end < 0 ? this.#text.length : end;
    }
  }

  #readValue(depth: number): DataNode | undefined {
    this.#skipGap();
    if (depth > DEEPEST) return this.#fail("nested too deep");
    const code = this.#text.charCodeAt(this.#at);
    if (code === 123) return this.#readMap(depth);
    if (code === 91) return this.#readList(depth);
    if (code === 34) return this.#readString();
    const start = this.#at;
    while (this.#at < this.#text.length && /[-+\w.]/.test(this.#text[this.#at]!)) this.#at++;
    const word = this.#text.slice(start, this.#at);
    if (!/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/.test(word.slice(0, 400))) {
      this.#at = start;
      return this.#fail(start >= this.#text.length ? "a value is missing" : "not a value");
    }
    return { kind: "scalar", region: { start, end: this.#at }, value: word };
  }

  #readString(): DataNode | undefined {
    const start = ++this.#at;
    let escaped = false;
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 34) break;
      if (code === 10 || code === 13) return this.#fail("a string is not closed on its line");
      if (code === 92) {
        escaped = true;
        this.#at++;
      }
    }
    if (this.#at >= this.#text.length) return this.#fail("a string is not closed");
    const region = { start, end: this.#at++ };
    const raw = this.#text.slice(start, region.end);
    return { kind: "scalar", region, value: escaped ? unescaped(raw) : raw };
  }

  #readMap(depth: number): DataNode | undefined {
    const start = this.#at++;
    const entries: DataEntry[] = [];
    for (;;) {
      this.#skipGap();
      if (this.#text.charCodeAt(this.#at) === 125 && (entries.length === 0 || this.#comments)) break;
      if (this.#text.charCodeAt(this.#at) !== 34)
        return this.#partial(start, { entries }, "a key is missing");
      const key = this.#readString();
      this.#skipGap();
      if (!key || this.#text.charCodeAt(this.#at) !== 58)
        return this.#partial(start, { entries }, "a colon is missing");
      this.#at++;
      const node = this.#readValue(depth + 1);
      if (!node) return this.#partial(start, { entries }, "a value is missing");
      entries.push({ key: key.value!, keyRegion: key.region, node });
      this.#skipGap();
      if (this.#text.charCodeAt(this.#at) === 44) this.#at++;
      else if (this.#text.charCodeAt(this.#at) === 125) break;
      else return this.#partial(start, { entries }, "a comma is missing");
    }
    return { kind: "map", region: { start, end: ++this.#at }, entries };
  }

  #readList(depth: number): DataNode | undefined {
    const start = this.#at++;
    const items: DataNode[] = [];
    for (;;) {
      this.#skipGap();
      if (this.#text.charCodeAt(this.#at) === 93 && (items.length === 0 || this.#comments)) break;
      const node = this.#readValue(depth + 1);
      if (!node) return this.#partial(start, { items }, "a value is missing");
      items.push(node);
      this.#skipGap();
      if (this.#text.charCodeAt(this.#at) === 44) this.#at++;
      else if (this.#text.charCodeAt(this.#at) === 93) break;
      else return this.#partial(start, { items }, "a comma is missing");
    }
    return { kind: "list", region: { start, end: ++this.#at }, items };
  }

  /** The entries that were read before the trouble are kept. */
  #partial(start: number, read: Pick<DataNode, "entries" | "items">, why: string): DataNode {
    this.#fail(why);
    return {
      kind: read.entries ? "map" : "list",
      region: { start, end: Math.min(this.#at, this.#text.length) },
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
