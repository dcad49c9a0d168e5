import type { Region } from "../../text/model/region.ts";
import type { DataEntry, DataNode } from "./data.ts";

/** A key of a TOML file by its full path, and where it and its value are written. */
export type TomlItem = {
  readonly path: readonly string[];
  readonly keyRegion: Region;
  readonly node: DataNode;
};

const DEEPEST = 50;

/**
 * The keys of a TOML file with their places; tables and dotted keys are paths, and each `[[array of tables]]` item
 * repeats its path. Reads on after what it does not understand. The parser proper has no places to give.
 */
export function scanToml(text: string): TomlItem[] {
  return new TomlScanner(text).scan();
}

class TomlScanner {
  readonly #text: string;
  readonly #items: TomlItem[] = [];
  #table: readonly string[] = [];
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  scan(): TomlItem[] {
    while (this.#at < this.#text.length) {
      this.#skipGap();
      if (this.#text[this.#at] === "[") this.#readTable();
      else this.#readPair();
      this.#skipLine();
    }
    return this.#items;
  }

  #skipGap(): void {
    while (this.#at < this.#text.length && /[\s,]/.test(this.#text[this.#at]!)) this.#at++;
    while (this.#text[this.#at] === "#") {
      this.#skipLine();
      while (this.#at < this.#text.length && /[\s,]/.test(this.#text[this.#at]!)) this.#at++;
    }
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  #readTable(): void {
    while (this.#text[this.#at] === "[") this.#at++;
    this.#table = this.#readKey()?.path ?? [];
  }

  #readPair(): void {
    const key = this.#readKey();
    if (!key || this.#text[this.#at] !== "=") return;
    this.#at++;
    const node = this.#readValue(0);
    if (node) this.#items.push({ path: [...this.#table, ...key.path], keyRegion: key.region, node });
  }

  #readKey(): { readonly path: string[]; readonly region: Region } | undefined {
    const path: string[] = [];
    let region: Region | undefined;
    for (;;) {
      this.#skipSpaces();
      const start = this.#at;
      const quoted =
        this.#text[this.#at] === '"' || this.#text[this.#at] === "'"
          ? this.#readQuoted(this.#text[this.#at]!)
          : undefined;
      if (!quoted) while (this.#at < this.#text.length && /[\w-]/.test(this.#text[this.#at]!)) this.#at++;
      region = quoted ?? { start, end: this.#at };
      if (region.end === region.start && !quoted) return undefined;
      path.push(this.#text.slice(region.start, region.end));
      this.#skipSpaces();
      if (this.#text[this.#at] !== ".") return { path, region };
      this.#at++;
    }
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at++;
  }

  #readValue(depth: number): DataNode | undefined {
    this.#skipSpaces();
    const start = this.#at;
    if (depth > DEEPEST) return undefined;
    if (this.#text[this.#at] === "[") return this.#readList(depth);
    if (this.#text[this.#at] === "{") return this.#readInline(depth);
    if (this.#text[this.#at] === '"' || this.#text[this.#at] === "'") {
      const mark = this.#text.startsWith(this.#text[this.#at]!.repeat(3), this.#at)
        ? this.#text[this.#at]!.repeat(3)
        : this.#text[this.#at]!;
      const region = this.#readQuoted(mark);
      return region && { kind: "scalar", region, value: this.#text.slice(region.start, region.end) };
    }
    while (this.#at < this.#text.length && !/[\s,\]}#]/.test(this.#text[this.#at]!)) this.#at++;
    return this.#at > start
      ? { kind: "scalar", region: { start, end: this.#at }, value: this.#text.slice(start, this.#at) }
      : undefined;
  }

  #readQuoted(mark: string): Region | undefined {
    const start = this.#at + mark.length;
    for (let i = start; i < this.#text.length; i++) {
      if (this.#text[i] === "\\" && mark[0] === '"') i++;
      else if (this.#text[i] === "\n" && mark.length === 1) return undefined;
      else if (this.#text.startsWith(mark, i)) {
        this.#at = i + mark.length;
        return { start, end: i };
      }
    }
    return undefined;
  }

  #readList(depth: number): DataNode {
    const start = this.#at++;
    const held: DataNode[] = [];
    for (this.#skipGap(); this.#at < this.#text.length && this.#text[this.#at] !== "]"; this.#skipGap()) {
      const node = this.#readValue(depth + 1);
      if (!node) break;
      held.push(node);
    }
    if (this.#text[this.#at] === "]") this.#at++;
    return { kind: "list", region: { start, end: this.#at }, items: held };
  }

  #readInline(depth: number): DataNode {
    const start = this.#at++;
    const entries: DataEntry[] = [];
    for (this.#skipGap(); this.#at < this.#text.length && this.#text[this.#at] !== "}"; this.#skipGap()) {
      const key = this.#readKey();
      if (!key || this.#text[this.#at] !== "=") break;
      this.#at++;
      const node = this.#readValue(depth + 1);
      if (!node) break;
      entries.push({ key: key.path.join("."), keyRegion: key.region, node });
    }
    if (this.#text[this.#at] === "}") this.#at++;
    return { kind: "map", region: { start, end: this.#at }, entries };
  }
}
