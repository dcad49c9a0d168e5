import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askPage, isAskedPage, isTold, readTopic } from "../../src/agents/fix/find-silent.ts";
import { findNearestPages, type SourcePage } from "../../src/agents/fix/nearest-pages.ts";
import { parsePassages } from "../../src/agents/fix/passage-answer.ts";
import { compareTexts } from "../../src/text/diff/compare.ts";
import { decode } from "../../src/text/model/encoding.ts";
import { indexLines, lineAt } from "../../src/text/model/lines.ts";
import { sha256 } from "../../src/text/model/sha256.ts";
import { openGit } from "../../src/workspace/git/git.ts";
import { gitDirOf, Scratch } from "../drift/mirror.ts";
import { patchesBetween } from "./stale-case.ts";

/** A commit, and the page that people changed because of its code; none where nothing on any page is concerned. */
export type SilentCase = {
  readonly repo: string;
  readonly commit: string;
  readonly parent: string;
  readonly doc?: string;
};

/** What the scorer needs of a question. */
type SilentFacts = {
  readonly case: string;
  readonly path: string;
  /** Whether people changed this page. */
  readonly isTheirs: boolean;
  /** The lines of the page that people changed, or after which they added some. */
  readonly theirs: readonly string[];
  /** Of those, the ones that the question shows. */
  readonly shown: readonly string[];
};

/** Writes the questions about the pages nearest to a commit; says whether the page of people is among them. */
export async function writeSilentRequests(
  one: SilentCase,
  { mirror, folder }: { readonly mirror: string; readonly folder: string },
): Promise<string> {
  const { repo, parent, commit, doc } = one;
  const id = `${repo.replace("/", "__")}-${commit.slice(0, 10)}`;
  const gitDir = gitDirOf(mirror, repo);
  if (!existsSync(gitDir)) return `${id}: no clone`;
  const scratch = new Scratch({ gitDir, folder: mkdtempSync(join(tmpdir(), "suture-agents-")) });
  scratch.close();
  const git = (await openGit(scratch.folder))!;
  const read = textReader(gitDir);
  const paths = (await git.tree(parent)).map(({ path }) => path);
  const pages = paths.filter(isAskedPage).flatMap((path): SourcePage[] => {
    const text = read(parent, path);
    return text === null ? [] : [{ path, text }];
  });
  const changed = (await git.changes(parent, commit)).map(({ path }) => path);
  const files = patchesBetween(gitDir, { parent, commit, paths: changed.filter(isTold) });
  const message = (await git.message(commit)) ?? "";
  const change = { messages: [message.trim()], files, read: async (path: string) => read(commit, path) };
  const topic = await readTopic(await git.log(parent, 1000), change, pages);
  const { shown } = findNearestPages(pages, topic);
  for (const [i, page] of shown.entries()) {
    const { prompt } = await askPage(page, { change, topic, known: [], reads: false }, { redact: String });
    const isTheirs = page.path === doc;
    const theirs = isTheirs ? linesChanged(read(parent, page.path) ?? "", read(commit, page.path) ?? "") : [];
    const has = new Set(page.text.split("\n").map((line) => line.trim()));
    const facts: SilentFacts = {
      case: id,
      path: page.path,
      isTheirs,
      theirs,
      shown: theirs.filter((line) => has.has(line)),
    };
    writeFileSync(
      join(folder, `${id}-${i + 1}.md`),
      `${prompt.instructions}\n\n----------\n\n${prompt.prompt}\n`,
    );
    writeFileSync(join(folder, `${id}-${i + 1}.json`), `${JSON.stringify(facts, null, 1)}\n`);
  }
  const at = shown.findIndex(({ path }) => path === doc);
  return `${id}: ${shown.length} pages${doc === undefined ? "" : at < 0 ? `; ${doc} is not among them` : `; ${doc} is page ${at + 1}`}`;
}

function textReader(gitDir: string): (revision: string, path: string) => string | null {
  return (revision, path) => {
    const ran = spawnSync("git", ["--git-dir", gitDir, "cat-file", "blob", `${revision}:${path}`], {
      maxBuffer: 1 << 26,
    });
    const text = ran.status === 0 ? decode(ran.stdout) : null;
    return text?.ok ? text.value.text : null;
  };
}

/** The lines that a change touches; for lines that are only added, the line above them. */
function linesChanged(before: string, after: string): string[] {
  const lines = indexLines(before);
  const texts = before.split("\n");
  return compareTexts(before, after).flatMap(({ region }) => {
    const isAdded = region.start === region.end;
    const first = lineAt(lines, isAdded ? before.slice(0, region.start).trimEnd().length : region.start);
    const last = isAdded ? first : lineAt(lines, Math.max(region.start, region.end - 1));
    return texts.slice(first, last + 1).flatMap((text) => (text.trim() === "" ? [] : [text.trim()]));
  });
}

/** The answers of a folder: whether the page and its lines were shown, and whether a passage there was named. */
export function scoreSilent(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const all = names.map((name) => ({
    name: name.replace(/\.json$/, ""),
    facts: JSON.parse(readFileSync(join(folder, name), "utf8")) as SilentFacts,
  }));
  const rows: string[] = [];
  const counts = { commits: 0, shown: 0, answered: 0, named: 0, elsewhere: 0, tokens: 0 };
  // Commits whose people changed no page: every passage is to be read.
  const others = { commits: 0, answered: 0, passages: 0 };
  for (const [id, questions] of Map.groupBy(all, ({ facts }) => facts.case)) {
    const answers = questions.flatMap(({ name, facts }) => {
      const file = join(folder, `${name}.txt`);
      return existsSync(file) ? [{ facts, passages: parsePassages(readFileSync(file, "utf8")) }] : [];
    });
    const passages = answers.flatMap(({ facts, passages: own }) =>
      own.map((passage) => ({ facts, passage })),
    );
    if (!questions.some(({ facts }) => facts.isTheirs)) {
      others.commits++;
      if (answers.length > 0) others.answered++;
      others.passages += passages.length;
      rows.push(`${id}: no page was changed, ${passages.length} passages`);
      continue;
    }
    const named = passages.filter(({ facts, passage }) =>
      facts.theirs.some((line) => isSameLine(line, passage.page)),
    );
    const isShown = questions.some(({ facts }) => facts.shown.length > 0);
    const size = (name: string): number => readFileSync(join(folder, `${name}.md`), "utf8").length;
    counts.commits++;
    if (isShown) counts.shown++;
    if (answers.length > 0) counts.answered++;
    if (named.length > 0) counts.named++;
    counts.elsewhere += passages.length - named.length;
    counts.tokens += Math.round(questions.reduce((sum, { name }) => sum + size(name), 0) / 4);
    rows.push(
      `${id}: ${isShown ? "shown" : "not shown"}, ${answers.length} of ${questions.length} answered, named ${named.length}, elsewhere ${passages.length - named.length}`,
    );
  }
  return [...rows, JSON.stringify(counts), JSON.stringify(others)].join("\n");
}

/** Whether a quotation is of this line, or of the sentence that goes on in it. */
function isSameLine(line: string, quotation: string): boolean {
  const [a, b] = [line, quotation].map((text) => text.replace(/\s+/g, " ").trim()) as [string, string];
  return a !== "" && b !== "" && (a.includes(b) || b.includes(a));
}

/**
 * An answer that was really given, without the words of the question: each passage as a line of it, the line of the page
 * and the line of the code that it quotes, and what holds now.
 */
type SilentRecord = {
  readonly name: string;
  readonly question: string;
  readonly passages: readonly {
    readonly kind: string;
    readonly page: number;
    readonly code: number;
    readonly now: string;
  }[];
};

export function recordSilent(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  const records = names.map((file): SilentRecord => {
    const name = file.replace(/\.txt$/, "");
    const question = readFileSync(join(folder, `${name}.md`), "utf8");
    const lines = question.split("\n");
    const lineOf = (words: string): number =>
      lines.findLastIndex((line) => words !== "" && line.includes(words));
    const passages = parsePassages(readFileSync(join(folder, file), "utf8")).map(
      ({ kind, page, code, now }) => ({
        kind,
        page: lineOf(page),
        code: lineOf(code),
        now,
      }),
    );
    return { name, question: sha256(question).slice(0, 16), passages };
  });
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Writes recorded answers to the questions of a folder that are still the same; says how many. */
export function replaySilent(folder: string, file: string): string {
  const records = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as SilentRecord);
  const counts = { answered: 0, stale: 0 };
  for (const { name, question, passages } of records) {
    const path = join(folder, `${name}.md`);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (sha256(text).slice(0, 16) !== question) {
      counts.stale++;
      continue;
    }
    const lines = text.split("\n").map((line) => line.trim());
    const blocks = passages.map(
      ({ kind, page, code, now }) =>
        `${kind.toUpperCase()}\npage: ${lines[page] ?? ""}\ncode: ${(lines[code] ?? "").replace(/^[+-]/, "")}\nnow: ${now}\n`,
    );
    writeFileSync(join(folder, `${name}.txt`), blocks.length === 0 ? "NONE\n" : blocks.join("\n"));
    counts.answered++;
  }
  return `${records.length} recorded answers; ${counts.answered} written, ${counts.stale} left out, because the question is another one now`;
}
