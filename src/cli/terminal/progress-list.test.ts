import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openLiveArea } from "./live-area.ts";
import { openProgressList } from "./progress-list.ts";
import type { Terminal } from "./terminal.ts";

/** What a screen shows after some text with the few controls we use. */
function screenOf(text: string): string[] {
  const lines = [""];
  let row = 0;
  for (const [part] of text.matchAll(/\u001b\[(\d+)A|\u001b\[0J|\n|[^\n\u001b]+/g)) {
    const up = /\[(\d+)A/.exec(part);
    if (up) row -= Number(up[1]);
    else if (part === "\u001b[0J") lines.splice(row, lines.length - row, "");
    else if (part === "\n") lines[++row] ??= "";
    else lines[row] = (lines[row] ?? "") + part;
  }
  return lines.slice(0, -1);
}

function areaOf(columns = 80, rows = 24) {
  let text = "";
  const area = openLiveArea({ write: (more: string) => void (text += more), columns, rows });
  return { area, write: (more: string) => void (text += more), screen: () => screenOf(text) };
}

describe("a live area", () => {
  test("is drawn again in place, and other output stays above it", () => {
    const { area, write, screen } = areaOf();
    area.show(["one", "two"]);
    area.show(["one!", "two", "three"]);
    area.above(() => write("done\n"));
    expect(screen()).toEqual(["done", "one!", "two", "three"]);
    area.show([]);
    expect(screen()).toEqual(["done"]);
  });

  test("is hidden while a person answers", async () => {
    const { area, write, screen } = areaOf();
    area.show(["row"]);
    await area.aside(async () => {
      area.show(["row 2"]);
      write("question? y\n");
      expect(screen()).toEqual(["question? y"]);
    });
    expect(screen()).toEqual(["question? y", "row 2"]);
  });

  test("never wraps and never fills the window: neither could be taken back", () => {
    const { area, screen } = areaOf(10, 5);
    area.show(Array.from({ length: 50 }, (_, i) => `${i} 😀 a long line`));
    area.show(["x".repeat(40)]);
    expect(screen()).toEqual(["xxxxxxxx…"]);
  });
});

describe("progress", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const terminalOf = (live?: Terminal["live"], verbose = false) => {
    const said: string[] = [];
    const out: string[] = [];
    const terminal = {
      verbose,
      remark: (text: string) => void said.push(text),
      complain: (text: string) => void said.push(`! ${text}`),
      print: (text: string) => void out.push(text),
      ...(live ? { live } : {}),
    } as unknown as Terminal;
    return { terminal, said, out };
  };
  const usage = { inputTokens: 120, outputTokens: 30, costUsd: 0.0012 };

  test("at a terminal each page has a row with its step, tokens, cost and seconds until it is done", () => {
    const shown: (readonly string[])[] = [];
    const { terminal, said, out } = terminalOf((lines) => void shown.push(lines));
    let time = 0;
    const list = openProgressList(terminal, () => time);
    list.report({ kind: "step", subject: "docs/a.md", text: "updating" });
    list.report({ kind: "step", subject: "docs/b.md", text: "writing" });
    time = 3200;
    list.report({ kind: "step", subject: "docs/a.md", text: "reviewing", usage });
    expect(shown.at(-1)!.map((line) => line.slice(2))).toEqual([
      "docs/a.md  reviewing  120 tokens in, 30 out, $0.0012  3 s",
      "docs/b.md  writing  3 s",
    ]);
    list.report({ kind: "done", subject: "docs/a.md", text: "✔ Wrote docs/a.md" });
    list.report({ kind: "failed", subject: "docs/b.md", text: "✖ Failed docs/b.md: x" });
    expect(shown.at(-1)).toEqual([]);
    expect(said).toEqual(["✔ Wrote docs/a.md", "! ✖ Failed docs/b.md: x"]);
    const before = shown.length;
    list.close();
    vi.advanceTimersByTime(1000);
    expect(shown).toHaveLength(before + 1);
    expect(out).toEqual([]);
  });

  test("a row moves while nothing else happens, and shows nothing that acts on a terminal", () => {
    const shown: (readonly string[])[] = [];
    const { terminal } = terminalOf((lines) => void shown.push(lines));
    const list = openProgressList(terminal);
    list.report({ kind: "step", subject: "docs/\u001b[2J.md", text: "a\nb" });
    vi.advanceTimersByTime(1300);
    expect(shown.length).toBeGreaterThan(8);
    expect(shown.flat().join("")).not.toMatch(/[\u001b\n]/);
    list.close();
  });

  test("elsewhere each step is a line of its own, said once", () => {
    const { terminal, said, out } = terminalOf();
    const list = openProgressList(terminal);
    list.report({ kind: "step", subject: "docs/a.md", text: "updating" });
    list.report({ kind: "step", subject: "docs/a.md", text: "updating", usage });
    list.report({ kind: "step", subject: "docs/a.md", text: "reviewing", usage });
    list.report({ kind: "detail", subject: "docs/a.md", text: "only for some" });
    list.report({ kind: "done", subject: "docs/a.md", text: "✔ Wrote docs/a.md" });
    list.close();
    expect(said).toEqual(["… docs/a.md: updating", "… docs/a.md: reviewing", "✔ Wrote docs/a.md"]);
    expect(out).toEqual([]);
  });
});
