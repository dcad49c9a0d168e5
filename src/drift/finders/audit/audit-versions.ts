import type { Loss, WholeInput } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { splitLines } from "../../change/tokens.ts";
import type { Notice } from "../../findings.ts";
import type { Audit } from "../../rule.ts";
import { AT_LEAST, FIELDS, isSameVersion, statedVersion } from "../changed-versions.ts";
import { auditNotice } from "./audit-notice.ts";
import { PAST } from "./past-words.ts";

/** The least version of a toolchain that a manifest at the head asks for. */
type Demand = {
  readonly path: string;
  readonly field: (typeof FIELDS)[number];
  readonly version: string;
  readonly line: number;
  readonly text: string;
};

/** A page that says a lower version is enough. */
type StatedVersion = {
  readonly page: DocumentPage;
  readonly line: number;
  readonly start: number;
  readonly version: string;
  readonly demand: Demand;
};

/**
 * Pages that name a lower version of a toolchain than the manifest asks for. Only a version that the manifest once had
 * counts; any other may belong to another program.
 */
export async function auditVersions({ pages, input }: Audit): Promise<Notice[]> {
  if (!input.history) return [];
  const demands = await readDemands(input);
  const stated = demands.flatMap((demand) => pages.flatMap((page) => findLower(page, demand)));
  if (stated.length === 0) return [];
  const wanted = new Set(stated.map(({ demand }) => demand.path));
  const losses = await input.history.losses({
    keys: [...new Set(stated.map(keyOf))],
    mayHold: (path) => wanted.has(path),
    keysOf: (path, text) =>
      demandsOf(path, text).flatMap(({ version }) => shorter(version).map((one) => `${path} ${one}`)),
  });
  return stated.flatMap((one) => {
    const loss = losses.get(keyOf(one));
    return loss ? [toNotice(one, loss)] : [];
  });
}

function keyOf({ demand, version }: StatedVersion): string {
  return `${demand.path} ${version}`;
}

/** A version as pages write it: `18.12.0` is also `18.12` and `18`. */
function shorter(version: string): string[] {
  const parts = version.split(".");
  return parts.map((_, at) => parts.slice(0, at + 1).join("."));
}

/** The demands of the manifests at the root of the repository. */
async function readDemands({ tree, read }: WholeInput): Promise<Demand[]> {
  const paths = tree.filter(
    (path) => !path.includes("/") && path !== ".nvmrc" && FIELDS.some(({ file }) => file.test(path)),
  );
  const texts = await Promise.all(paths.map(async (path) => [path, (await read(path)) ?? ""] as const));
  return texts.flatMap(([path, text]) => demandsOf(path, text));
}

function demandsOf(path: string, text: string): Demand[] {
  const fields = FIELDS.filter(({ file }) => file.test(path));
  return splitLines(text).flatMap((words, at) =>
    fields.flatMap((field) => {
      const version = field.line.exec(words.trim())?.[1];
      return version ? [{ path, field, version, line: at + 1, text: words }] : [];
    }),
  );
}

function findLower(page: DocumentPage, demand: Demand): StatedVersion[] {
  const stated = statedVersion(demand.field.product, String.raw`\d+(?:\.\d+)*`);
  if (page.text.search(stated) < 0) return [];
  return page.read().lines.flatMap(({ text, start, place }, line) => {
    if (place === "code" || /^\s*</.test(text) || !AT_LEAST.test(text) || PAST.test(text)) return [];
    return [...text.matchAll(stated)].flatMap((match) => {
      const version = match.groups!.version!;
      const at = start + match.index + match[0].length - version.length;
      return isLower(version, demand.version) ? [{ page, line, start: at, version, demand }] : [];
    });
  });
}

/** Whether a version is lower than another one, as far as both are precise enough. */
function isLower(version: string, least: string): boolean {
  const [own, other] = [version.split(".").map(Number), least.split(".").map(Number)];
  for (const [at, number] of own.entries()) {
    if (other[at] === undefined) return false;
    if (number !== other[at]) return number < other[at];
  }
  return false;
}

function toNotice(
  { page, line, start, version, demand }: StatedVersion,
  { commit, date, subject }: Loss,
): Notice {
  const fresh = asLongAs(version, demand.version);
  const splice = { region: { start, end: start + version.length }, text: fresh };
  return {
    ...auditNotice({ page, line }, "version", "likely", { what: "version", old: version, new: fresh }),
    cause: `version:${demand.path}:${demand.version}`,
    since: { commit, date, subject },
    evidence: [
      {
        path: demand.path,
        revision: commit,
        startLine: demand.line,
        endLine: demand.line,
        after: demand.text,
      },
    ],
    ...(saysLower(page.read().lines[line]!.text, version, fresh) ? {} : { splice }),
  };
}

/** Whether a line names another version below the new one: a change of one of them would make it contradict itself. */
function saysLower(text: string, version: string, fresh: string): boolean {
  const numbers = text.match(/(?<![\w.])\d+(?:\.\d+)+(?=\+|\b)/g) ?? [];
  return numbers.some((number) => number !== version && isLower(number, fresh));
}

/** The new version with as many numbers as the old one, where no number but 0 is lost. */
function asLongAs(old: string, fresh: string): string {
  const cut = fresh.split(".").slice(0, old.split(".").length).join(".");
  return isSameVersion(cut, fresh) ? cut : fresh;
}
