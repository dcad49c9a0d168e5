import { plural } from "suture/service";
import type { ReportedFinding } from "suture/tools";

/** A repository whose edits wait, as the report shows it. */
type ShownRepository = {
  readonly organisation: string;
  readonly name: string;
  readonly commit: string;
  readonly waitingFor: string;
  readonly findings: readonly ShownFinding[];
};

type ShownFinding = Pick<
  ReportedFinding,
  "id" | "path" | "startLine" | "tier" | "kind" | "cause" | "message" | "edits"
> & { readonly isApproved: boolean };

export type PreviewCount = { readonly name: string; readonly repositories: number; readonly edits: number };

/** The totals of a preview. */
export type PreviewSummary = {
  readonly edits: number;
  readonly organisations: readonly PreviewCount[];
  readonly causes: readonly PreviewCount[];
};

/** Counts the edits of a preview by organisation and by cause, the largest first. */
export function summarizePreview(found: readonly ShownRepository[]): PreviewSummary {
  const organisations = new Totals();
  const causes = new Totals();
  for (const { organisation, name, findings } of found)
    for (const { cause, kind } of findings) {
      organisations.add(organisation, `${organisation}/${name}`);
      causes.add(cause ?? kind, `${organisation}/${name}`);
    }
  return {
    edits: found.reduce((sum, { findings }) => sum + findings.length, 0),
    organisations: organisations.list(),
    causes: causes.list(),
  };
}

class Totals {
  readonly #by = new Map<string, { edits: number; readonly repositories: Set<string> }>();

  add(name: string, repository: string): void {
    const total = this.#by.get(name) ?? { edits: 0, repositories: new Set() };
    total.edits++;
    total.repositories.add(repository);
    this.#by.set(name, total);
  }

  list(): PreviewCount[] {
    return [...this.#by]
      .map(([name, { edits, repositories }]) => ({ name, repositories: repositories.size, edits }))
      .sort((a, b) => b.edits - a.edits || (a.name < b.name ? -1 : 1));
  }
}

const mostCauses = 20;

/** The report of a preview: the totals, then each edit with its reason. */
export function printPreview(found: readonly ShownRepository[]): string[] {
  if (found.length === 0) return ["No edits wait."];
  const { edits, organisations, causes } = summarizePreview(found);
  const more = causes.length - mostCauses;
  return [
    `${plural(edits, "edit")} in ${repositories(found.length)}`,
    "",
    "By organisation:",
    ...organisations.map(countLine),
    "By cause:",
    ...causes.slice(0, mostCauses).map(countLine),
    ...(more > 0 ? [`  … and ${plural(more, "other cause")}`] : []),
    ...found.flatMap((repository) => ["", ...printRepository(repository)]),
  ];
}

function countLine({ name, repositories: count, edits }: PreviewCount): string {
  return `  ${name}  ${plural(edits, "edit")} in ${repositories(count)}`;
}

function repositories(count: number): string {
  return count === 1 ? "1 repository" : `${count} repositories`;
}

const reasons: Readonly<Record<string, string>> = {
  approval: "waits for approval",
  schedule: "waits for its schedule",
  limit: "waits, because too many pull requests are open",
  branch: "waits, because its branch has a commit of a person and no pull request",
};

function printRepository({ organisation, name, commit, waitingFor, findings }: ShownRepository): string[] {
  return [
    `${organisation}/${name} at ${commit.slice(0, 12)}: ${reasons[waitingFor] ?? waitingFor}`,
    ...findings.flatMap(printFinding),
  ];
}

function printFinding({ path, startLine, message, tier, id, isApproved, edits }: ShownFinding): string[] {
  return [
    `  ${path}:${startLine} ${message} (${tier}, ${id}${isApproved ? ", approved" : ""})`,
    ...edits.flatMap(({ old_string, new_string }) => [...side("-", old_string), ...side("+", new_string)]),
  ];
}

function side(mark: string, text: string): string[] {
  return text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `    ${mark} ${line}`);
}
