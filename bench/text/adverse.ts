import { join } from "node:path";
import { type Job, makeJob, passage, prose } from "./job.ts";

const MB = 1_000_000;

/** Inputs made to slow a search down. All but those with a patch ask for a quotation that must be refused. */
export function adverseJobs(folder: string): Job[] {
  const quoted = (name: string, text: string, quote: string): Job =>
    makeJob(join(folder, name.replaceAll(/\W+/g, "-")), name, text, {
      swaps: [{ quote, text: "x" }],
      splices: [],
      after: null,
    });
  const same = "the same line\n".repeat(100_000).slice(0, MB);
  const text = prose(MB);
  const block = passage(text, 0.5, 400);
  const blocks = Array.from({ length: 50 }, (_, i) => swapWord(block, i))
    .join("")
    .slice(0, MB);
  const words = prose(MB).replaceAll("\n", " ");
  return [
    quoted("all a, quote aaa…b", "a".repeat(MB), `${"a".repeat(5000)}b`),
    quoted("all a, quote b…aaa", "a".repeat(MB), `b${"a".repeat(5000)}`),
    quoted("all a, quote aa in a million places", "a".repeat(MB), "aa"),
    quoted(
      "100,000 equal lines, quote of 1,000 and one other",
      same,
      `${same.slice(0, 14 * 1000)}another line\n`,
    ),
    quoted("100,000 equal lines, quote of one", same, "the same line\n"),
    quoted(
      "a period of 7, quote of 20,000 that ends otherwise",
      "abcdefg".repeat(MB / 7),
      `${"abcdefg".repeat(2857)}x`,
    ),
    quoted(
      "a period of 500 lines, quote of 2,000 lines that ends otherwise",
      period(500),
      `${period(500).slice(0, 60_000)}x`,
    ),
    quoted(
      "one line of 1 MB, one word differs",
      words,
      `${words.slice(500_000, 500_400)} otherwise ${words.slice(500_400, 500_800)}`,
    ),
    quoted("long quote, near matches everywhere", blocks, swapWord(block, 1000)),
    quoted("1 MB of empty lines", "\n".repeat(MB), `${"\n".repeat(500)}x`),
    quoted("1 MB quoted from a file of 1 MB, one word differs", text, swapWord(text, 7)),
    quoted(
      "CRLF file, LF quote, one word differs",
      text.replaceAll("\n", "\r\n").slice(0, MB),
      swapWord(block, 7),
    ),
    hunk(join(folder, "ambiguous"), "a hunk that fits 100,000 equal lines", same),
  ];
}

/** The passage with one word in its middle, after the `at`-th blank there, replaced. */
function swapWord(block: string, at: number): string {
  let place = Math.floor(block.length / 2);
  for (let i = 0; i < at % 100; i++) place = block.indexOf(" ", place + 1);
  return `${block.slice(0, place)} w${at}${block.slice(place)}`;
}

function period(lines: number): string {
  const once = prose(lines * 40)
    .match(/.*\n/g)!
    .slice(0, lines)
    .join("");
  return once.repeat(Math.ceil(MB / once.length)).slice(0, MB);
}

/** A patch whose stated line is past the end, and whose context stands everywhere. */
function hunk(folder: string, name: string, text: string): Job {
  const line = " the same line\n";
  const patch = `--- a/before.txt\n+++ b/before.txt\n@@ -900000,3 +900000,4 @@\n${line}${line}+new\n${line}`;
  return { ...makeJob(folder, name, text, { splices: [], after: null }), patch };
}
