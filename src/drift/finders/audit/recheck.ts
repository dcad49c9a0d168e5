import type { WholeInput } from "../../change/change.ts";
import { nameOf } from "../../confidence/notice-name.ts";
import type { Notice } from "../../findings.ts";
import { readSurface } from "../../surface/read-surface.ts";
import { PAST } from "./past-words.ts";

/** Rechecks a notice about a past commit against the present tree: a replacement that is gone by now is dropped. */
export type NoticeRecheck = (notice: Notice) => Promise<Notice>;

export function createRecheck({ occurrences, read, repository = [] }: WholeInput): NoticeRecheck {
  const owners = repository.flatMap((name) => name.toLowerCase().split("/"));
  const isPublic = async (name: string): Promise<boolean> => {
    const paths = (await occurrences([name])).get(name) ?? [];
    if (paths.length === 0) return false;
    const things = (
      await Promise.all(
        paths.slice(0, mostFiles).map(async (path) => readSurface(path, (await read(path)) ?? "")),
      )
    ).flat();
    const named = things.filter((thing) => thing.name === name);
    return named.length === 0 || named.some(({ exported }) => exported !== "no");
  };
  const holds = async ({ kind, message }: Notice): Promise<boolean> => {
    if (message.new === undefined) return true;
    const fresh = nameOf(message.new);
    return fresh === null || kind === "script" || isPublic(fresh);
  };
  return async (notice) => {
    const today =
      mayStay(notice) || isReadersOwn(notice, owners) ? { ...notice, tier: "possible" as const } : notice;
    return (await holds(notice)) ? today : withoutSuccessor(today);
  };
}

const mostFiles = 8;

function withoutSuccessor({ splice: _, ...notice }: Notice): Notice {
  const { old = "" } = notice.message;
  return {
    ...notice,
    kind: notice.kind === "rename" ? "removal" : notice.kind,
    message: { what: "removed", old },
  };
}

const END =
  /\b(?:deprecated|obsolete|no longer (?:available|supported|maintained)|removed (?:in|since|from))\b/i;
const END_HEADING = /^\W*(?:deprecated|obsolete|removed|history)\W*$/i;

/** Whether the line speaks of the past, or the page says at its top or in a heading that its subject is obsolete. */
function mayStay({ page, line }: Notice): boolean {
  const { lines } = page.read();
  return (
    PAST.test(lines[line]?.text ?? "") ||
    lines.some(({ place, text }) => place === "heading" && END_HEADING.test(text)) ||
    lines.slice(0, 25).some(({ text, place }) => place !== "code" && END.test(text))
  );
}

/** Whether the samples of a page use the name for something of another project, or of the reader's. */
function isReadersOwn({ page, line, message, features }: Notice, owners: readonly string[]): boolean {
  const name = nameOf(message.old);
  if (name === null) return false;
  const { lines } = page.read();
  const literal = name.replace(/\$/g, "\\$");
  const here = lines[line]!;
  // A key that a sample passes to a call belongs to the sample's own program.
  if (
    features?.["thing setting"] &&
    here.place === "code" &&
    here.text.match(`["'\`]${literal}["'\`]\\s*[,)]`)
  )
    return true;
  const said = new RegExp(`${literal}\\W{1,4}(?:type )?from (?:the )?[\`"']?([\\w@/.-]+)`).exec(here.text);
  if (said && isForeign(said[1]!, owners)) return true;
  const imported = new RegExp(`\\b(?:from|import|require|use|using|include)\\b.*\\b${literal}\\b`);
  return lines.some(({ place, text }) => {
    if (place !== "code" || !text.includes(name)) return false;
    const before = text.slice(0, text.indexOf(name));
    const holder = /(\w+)(?:\.|::)$/.exec(before)?.[1];
    return (
      READS.test(before) ||
      (imported.test(text) && isForeign(text, owners)) ||
      (holder !== undefined && isForeign(holder, owners) && isImported(page.text, holder))
    );
  });
}

/** Whether a page imports a module by a plain name: `import databases`. */
function isImported(text: string, module: string): boolean {
  return new RegExp(`^\\s*(?:import|use|using)\\s+${module}\\b`, "m").test(text);
}

/** Code that reads a variable of the environment, up to the name. */
const READS = /(?:environ(?:\.get)?|getenv|process\.env|ENV|env(?:::var)?|Env)\b\W{0,4}$/;

/** Whether an import is neither relative nor from a module whose name contains the project's. */
function isForeign(text: string, owners: readonly string[]): boolean {
  const plain = text.toLowerCase().replace(/_/g, "-");
  return owners.length > 0 && !/["'\s]\.{1,2}\//.test(text) && !owners.some((name) => plain.includes(name));
}
