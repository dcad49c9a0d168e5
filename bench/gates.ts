/**
 * The gates against edits that people really made, and against wrong versions of them. Each section that a person edited
 * because of the code of the same commit is judged as if a model had written it; then one thing in it is made wrong.
 *
 *   MIRROR=clones npm run bench:gates -- [--cases FILE | --other] [--half first|second] [--most 300] [--check] [--people] [--list]
 *
 * `--most` counts sections. The notices of a section are the names that the code and the person both changed; with
 * `--check`, those of the rules where they have any, which takes longer. A person's changes that no notice is about are
 * left out of a section, because a commit may do several things to a page; sections that people removed or moved are
 * counted apart, because a question asks for a section. Each section is judged on the page as people left it. Whole pages are judged too, by the gates
 * that do not need a notice. `--other` takes commits of the clones that the file of cases does not name,
 * `--each` of each clone after the newest `--skip`, and `--half` those of every second repository, so that gates can be changed on one half and measured on the other. `--people` leaves out the wrong versions. `--list` prints every refusal of a person's edit and every accepted mutation.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Objection } from "../src/agents/gates/objection.ts";
import { isHeading, isInsideFence, piecesOf } from "../src/agents/gates/section/pieces.ts";
import { type CaseLine, closeStaleCases, spreadCases } from "./agents/stale-case.ts";
import { findHumanEdits, type HumanEdit } from "./gates/human-edits.ts";
import { judgeEdit, judgePage } from "./gates/judge-edit.ts";
import { mutations } from "./gates/mutations.ts";
import { findOtherCommits } from "./gates/other-commits.ts";
import { printTable } from "./report.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: join(import.meta.dirname, "../../shared/bench/drift/pos_dev.jsonl") },
    most: { type: "string", default: "300" },
    other: { type: "boolean", default: false },
    each: { type: "string", default: "30" },
    skip: { type: "string", default: "0" },
    half: { type: "string" },
    check: { type: "boolean", default: false },
    people: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
/** A commit that writes one word anew on every page is one case, not seventy. */
const mostOfCommit = 8;

/** Passages that are listed although nothing in them is dangerous or invented. */
const forALook = new Set(["other sentence", "new sentence", "name of other code", "large edit"]);

const mirror = process.env.MIRROR ?? "";
if (!existsSync(mirror) || !existsSync(values.cases))
  console.log("gates bench skipped: set MIRROR to a folder of bare clones, and --cases to the file of cases");
else await measure();

type Count = { tried: number; passed: number; told: number };

async function measure(): Promise<void> {
  const cases = spreadCases(halfOf(readCases()));
  const people = {
    rule: count(),
    told: count(),
    silent: count(),
    listed: count(),
    risky: count(),
    hosts: count(),
    headings: count(),
    gone: count(),
    page: count(),
  };
  const wrong = new Map(mutations.map(({ name }) => [name, count()]));
  const gates = new Map<string, number>();
  let sections = 0;
  let commits = 0;
  for (const one of cases) {
    if (sections >= Number(values.most)) break;
    const { pages, sections: edits } = await findHumanEdits(one, mirror, values);
    if (pages.length > 0) commits++;
    for (const { facts, case: id, ...page } of pages) {
      const { objections } = await judgePage(page, facts);
      people.page.tried++;
      if (objections.length === 0) people.page.passed++;
      else list(id, page.path, `page refused: ${print(objections)}`);
    }
    for (const edit of edits.slice(0, mostOfCommit)) {
      if (!edit.isGone) sections++;
      const kind = edit.isGone ? people.gone : edit.byRule ? people.rule : people.told;
      await measureEdit(edit, { people: kind, ...people, wrong, gates });
    }
  }
  closeStaleCases();
  console.log(`${sections} sections of ${commits} commits`);
  const refused = (name: string, { tried, passed }: Count): string[] => [
    name,
    String(tried),
    String(tried - passed),
    share(tried - passed, tried),
  ];
  const all = {
    tried: people.rule.tried + people.told.tried,
    passed: people.rule.passed + people.told.passed,
    told: 0,
  };
  const known = { ...all, tried: all.tried - people.hosts.tried };
  console.log(
    `\n${printTable(
      ["people's edits", "tried", "refused", "%"],
      [
        refused("sections noticed by a rule", people.rule),
        refused("sections noticed by a shared name", people.told),
        refused("sections", all),
        refused("sections whose author names nothing", people.silent),
        refused("sections without a new host of the web", known),
        refused("sections with a new heading", people.headings),
        refused("sections without a new heading", without(all, people.headings)),
        refused("sections removed or moved, not counted above", people.gone),
        refused("whole pages", people.page),
      ],
    )}\n\n${printTable(
      ["people's edits", "tried", "listed", "%"],
      [
        refused("sections with a passage that a person is asked to look at", people.listed),
        refused("sections with any remark", people.risky),
      ],
    )}`,
  );
  console.log(`refused by: ${JSON.stringify(Object.fromEntries(gates))}\n`);
  const rows = [...wrong].map(([name, { tried, passed, told }]) => [
    name,
    String(tried),
    String(passed),
    share(passed, tried),
    String(told),
  ]);
  console.log(printTable(["wrong version", "tried", "accepted", "%", "told as a risk"], rows));
}

function readCases(): CaseLine[] {
  const lines = readFileSync(values.cases, "utf8").trim().split("\n");
  const listed = lines.map((line) => JSON.parse(line) as CaseLine);
  const known = new Set(listed.map(({ repo }) => repo));
  return values.other
    ? findOtherCommits({ mirror, known, each: Number(values.each), skip: Number(values.skip) })
    : listed;
}

/** The cases of every second repository. */
function halfOf(all: readonly CaseLine[]): readonly CaseLine[] {
  if (values.half === undefined) return all;
  const repos = [...new Set(all.map(({ repo }) => repo))].sort();
  const rest = values.half === "first" ? 0 : 1;
  return all.filter(({ repo }) => repos.indexOf(repo) % 2 === rest);
}

function without(all: Count, some: Count): Count {
  return { ...all, tried: all.tried - some.tried, passed: all.passed - some.passed };
}

/** Whether a person wrote a new section below this one, or in it. */
function addsHeading({ path, before, after }: HumanEdit): boolean {
  const headings = (text: string): number =>
    piecesOf(text, { path }).filter((piece) => !isInsideFence(piece) && isHeading(piece)).length;
  return headings(after) > headings(before);
}

/** A person's section, and the wrong versions of it if it passes. */
async function measureEdit(
  edit: HumanEdit,
  counts: {
    people: Count;
    silent: Count;
    listed: Count;
    risky: Count;
    hosts: Count;
    headings: Count;
    wrong: Map<string, Count>;
    gates: Map<string, number>;
  },
): Promise<void> {
  const { objections, risks } = await judgeEdit(edit);
  counts.people.tried++;
  if (edit.isGone) {
    if (objections.length === 0) counts.people.passed++;
    return;
  }
  const silent = await judgeEdit({ ...edit, named: [], reasons: [] });
  tally(counts.silent, silent.objections.length === 0);
  tally(counts.listed, !risks.some(({ what }) => forALook.has(what)));
  tally(counts.risky, risks.length === 0);
  for (const gate of new Set(objections.map((one) => one.gate)))
    counts.gates.set(gate, (counts.gates.get(gate) ?? 0) + 1);
  // Only a person may bring in a host that the repository does not name.
  if (objections.some(({ gate }) => gate === "addresses")) counts.hosts.tried++;
  if (addsHeading(edit)) {
    counts.headings.tried++;
    if (objections.length === 0) counts.headings.passed++;
  }
  if (objections.length > 0) {
    list(edit.case, edit.path, `section refused: ${print(objections)}`);
    return;
  }
  counts.people.passed++;
  if (values.people) return;
  for (const { name, mutate } of mutations)
    for (const after of [mutate(edit) ?? []].flat())
      if (after !== edit.after) await measureWrong({ ...edit, after }, name, counts.wrong.get(name)!, edit);
}

async function measureWrong(edit: HumanEdit, name: string, own: Count, right: HumanEdit): Promise<void> {
  const { objections, risks } = await judgeEdit(edit);
  own.tried++;
  if (objections.length > 0) return;
  own.passed++;
  const rightOnes = new Set((await judgeEdit(right)).risks.map(({ detail }) => detail));
  const told = risks.find(
    ({ what, detail }) =>
      !rightOnes.has(detail) && (what === "negation" || what === "version" || forALook.has(what)),
  )?.what;
  if (told !== undefined) own.told++;
  if (told !== "negation")
    list(
      edit.case,
      edit.path,
      `accepted${told ? ", told" : ""}: ${name}: ${firstChange(right.after, edit.after)}`,
    );
}

/** The first line that only the wrong version has, or has not. */
function firstChange(right: string, wrong: string): string {
  const [had, has] = [right.split("\n"), wrong.split("\n")];
  const fresh = has.find((line) => !had.includes(line));
  return fresh ?? `without ${had.find((line) => line.trim() !== "" && !has.includes(line)) ?? ""}`;
}

function tally(own: Count, passed: boolean): void {
  own.tried++;
  if (passed) own.passed++;
}

function count(): Count {
  return { tried: 0, passed: 0, told: 0 };
}

function share(part: number, whole: number): string {
  return whole === 0 ? "–" : ((100 * part) / whole).toFixed(1);
}

function list(id: string, path: string, text: string): void {
  if (values.list) console.log(`${id} ${path} ${text}`);
}

function print(objections: readonly Objection[]): string {
  return objections.map(({ gate, detail }) => `${gate}: ${detail}`).join(" | ");
}
