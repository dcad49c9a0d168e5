import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** One recorded case of the edit corpus; `README.md` beside the cases says what the fields mean. */
export type Case = {
  readonly id: string;
  readonly format: string;
  readonly kind?: string;
  readonly files_before: Readonly<Record<string, string>>;
  readonly symlinks_before?: Readonly<Record<string, string>>;
  readonly symlinks_after?: Readonly<Record<string, string>>;
  readonly modes_before?: Readonly<Record<string, string>>;
  readonly modes_after?: Readonly<Record<string, string>>;
  readonly input: unknown;
  readonly expect: {
    readonly ok: boolean;
    readonly files_after?: Readonly<Record<string, string>>;
    readonly error_kind?: string;
  };
  readonly encoding?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly parsed?: unknown;
  readonly normalized?: { readonly old_string: string; readonly new_string: string };
  readonly matches?: unknown;
  readonly alternatives?: string;
  readonly tags?: readonly string[];
  readonly git_config?: readonly string[];
  readonly needs?: readonly string[];
};

/** The folder of the corpus, which lies beside the project; absent for most who build it. */
export const corpusFolder: string = fileURLToPath(new URL("../../../shared/corpus/edit/", import.meta.url));

export const corpusIsThere: boolean = existsSync(corpusFolder);

/** Every case, by the peer it was recorded from. */
export function readCases(): Map<string, Case[]> {
  const peers = new Map<string, Case[]>();
  for (const file of readdirSync(corpusFolder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()) {
    const lines = readFileSync(new URL(file, `file://${corpusFolder}`), "utf8").split("\n");
    const cases = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Case);
    peers.set(file.slice(0, -".jsonl".length), cases);
  }
  return peers;
}

/** The bytes of a recorded file, before or after. */
export function bytesOf(each: Case, when: "files_before" | "files_after"): Map<string, Uint8Array> {
  const files = when === "files_before" ? each.files_before : (each.expect.files_after ?? {});
  const encodings = each.encoding?.[when];
  const encoded = (path: string): boolean => typeof encodings === "object" && encodings[path] === "base64";
  return new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      Buffer.from(content, encoded(path) ? "base64" : "utf8"),
    ]),
  );
}

/** The text of an input, whether it is the whole input or one field of it. */
export function textOf(each: Case, field?: string): string {
  const input = each.input as string | Record<string, string>;
  const text = typeof input === "string" ? input : (input[field ?? "patch"] ?? "");
  return each.encoding?.input === "base64" ? Buffer.from(text, "base64").toString("utf8") : text;
}
