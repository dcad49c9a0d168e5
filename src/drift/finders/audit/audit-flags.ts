import type { WholeInput } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { inStyle, partsOf } from "../../change/names.ts";
import type { Notice } from "../../findings.ts";
import type { Audit } from "../../rule.ts";
import { auditNotice } from "./audit-notice.ts";

/** Flags that a page passes to a program of this repository and that its code has in no spelling. */
export async function auditFlags({ pages, input }: Audit): Promise<Notice[]> {
  const programs = await findPrograms(input);
  if (!programs.length) return [];
  const call = new RegExp(
    `(?:^\\s*(?:[$>]\\s+)?(?:npx\\s+)?|\`)(?:${programs.join("|")})(?=\\s)([^|;&\`#]*)`,
    "g",
  );
  const found: { page: DocumentPage; line: number; flag: string }[] = [];
  for (const page of pages) {
    if (!programs.some((name) => page.text.includes(name))) continue;
    page.read().lines.forEach(({ text, place }, line) => {
      if (text.length > 1000) return;
      for (const match of text.matchAll(call)) {
        if (place !== "code" && !match[0].startsWith("`")) continue;
        // Arguments after a bare `--` belong to another program.
        const own = match[1]!.split(/\s--\s/)[0]!;
        for (const flag of own.matchAll(/(?<=\s)--([a-z][\w-]+)/g))
          found.push({ page, line, flag: flag[1]! });
      }
    });
  }
  const spellings = new Map([...new Set(found.map(({ flag }) => flag))].map((flag) => [flag, spell(flag)]));
  const occurrences = await input.occurrences([...new Set([...spellings.values()].flat())]);
  return found
    .filter(({ flag }) => !spellings.get(flag)!.some((name) => occurrences.get(name)?.length))
    .map(({ page, line, flag }) =>
      auditNotice({ page, line }, "flag", "possible", { what: "no flag", old: `--${flag}` }),
    );
}

const GIVEN = new Set(["help", "version"]);

function spell(flag: string): string[] {
  const plain = flag.replace(/^no-/, "");
  if (GIVEN.has(plain)) return [plain, "e"];
  const styles = ["kebab", "camel", "snake", "pascal"] as const;
  return [...new Set([flag, plain, ...styles.map((style) => inStyle(partsOf(plain), style))])];
}

/** Names under which the repository's packages install programs. */
async function findPrograms({ tree, read }: WholeInput): Promise<string[]> {
  const names = new Set<string>();
  for (const path of tree.filter((one) => /(^|\/)package\.json$/.test(one)).slice(0, 200)) {
    const manifest = parseManifest(await read(path));
    const { bin, name } = manifest;
    if (typeof bin === "string" && typeof name === "string") names.add(name.replace(/^@[^/]+\//, ""));
    else if (typeof bin === "object" && bin !== null) for (const one of Object.keys(bin)) names.add(one);
  }
  return [...names].filter((name) => /^[\w.-]+$/.test(name)).map((name) => name.replace(/[.]/g, "\\."));
}

function parseManifest(text: string | null): { bin?: unknown; name?: unknown } {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
