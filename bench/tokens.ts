/**
 * What a model must write for an edit, in each format: `npm run bench:tokens [-- --repo DIR] [--limit N]`. The edits are
 * the changes of text files in the history of a repository, this one by default. Characters are counted, because
 * tokenizers differ; four of them make about one token of English.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { compareTexts } from "../src/text/diff/compare.ts";
import { printDiff } from "../src/text/diff/diff.ts";
import { quoteEdits } from "../src/tools/quote-edits.ts";
import { figure, median, printTable } from "./report.ts";

const { values } = parseArgs({
  options: { repo: { type: "string", default: "." }, limit: { type: "string", default: "400" } },
});

type Written = Readonly<Record<Format, number>>;
const formats = ["edits (edit_article)", "SEARCH/REPLACE", "unified diff", "whole file"] as const;
type Format = (typeof formats)[number];

const changes = findChanges(Number(values.limit));
const written = changes.map(measure);
const rows = formats.map((format) => {
  const lengths = written.map((each) => each[format]);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const whole = written.reduce((sum, each) => sum + each["whole file"], 0);
  return [format, figure(median(lengths)), total.toLocaleString("en"), `${figure((100 * total) / whole)} %`];
});
console.log(`${changes.length} changes of Markdown and source files; characters a model has to write\n`);
console.log(printTable(["format", "median", "all", "of whole files"], rows));

type Change = { readonly path: string; readonly before: string; readonly after: string };

function findChanges(limit: number): Change[] {
  const log = git(
    "log",
    "--first-parent",
    "--no-renames",
    "--diff-filter=M",
    "--raw",
    "--no-abbrev",
    "--format=",
  );
  const found: Change[] = [];
  for (const line of log.split("\n")) {
    const match = /^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) M\t(.*\.(?:md|mdx|rst|ts|js|py|go|rs))$/.exec(line);
    if (!match) continue;
    const [before, after] = [match[1]!, match[2]!].map((id) => git("cat-file", "blob", id)) as [
      string,
      string,
    ];
    found.push({ path: match[3]!, before, after });
    if (found.length === limit) break;
  }
  return found;
}

function measure({ path, before, after }: Change): Written {
  const splices = compareTexts(before, after);
  const edits = quoteEdits(before, splices);
  const reason = "the default changed";
  const blocks = edits.map(
    ({ old_string, new_string }) =>
      `${path}\n<<<<<<< SEARCH\n${old_string}\n=======\n${new_string}\n>>>>>>> REPLACE\n`,
  );
  return {
    "edits (edit_article)": JSON.stringify({
      path,
      edits: edits.map(({ old_string, new_string }) => ({ old_string, new_string, reason })),
    }).length,
    "SEARCH/REPLACE": blocks.join("").length,
    "unified diff": printDiff({ path, before, after, splices }).length,
    "whole file": after.length,
  };
}

function git(...options: string[]): string {
  return execFileSync("git", ["-C", values.repo, ...options], { encoding: "utf8", maxBuffer: 2 ** 30 });
}
