import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type DiffLine, type DiffRow, type DiffSegment, diffRows } from "../../../text/diff/diff-rows.ts";
import { ShownText } from "./shown-text.tsx";
import { Windowed } from "./windowed.tsx";

export type DiffProps = {
  readonly before: string;
  readonly after: string;
  readonly startLine: number;
  readonly layout: "split" | "inline";
  readonly label: string;
};

/** Rows that are drawn: a pair of sides, one side, or lines that are folded away. */
type Drawn =
  | { readonly kind: "row"; readonly id: string; readonly row: DiffRow }
  | { readonly kind: "fold"; readonly id: string; readonly from: number; readonly count: number };

const context = 3;
const mostWhole = 600;
const rowHeight = 22;

/** Two versions of some lines, side by side or one below the other. */
export function DiffView({ before, after, startLine, layout, label }: DiffProps): VNode {
  const rows = useMemo(() => diffRows(before, after, startLine).flatMap(cutLong), [before, after, startLine]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const drawn = useMemo(() => fold(rows, opened), [rows, opened]);
  const lines = useMemo(
    () => (layout === "split" ? drawn : drawn.flatMap((each) => unsplit(each))),
    [drawn, layout],
  );
  const draw = (each: Drawn): VNode =>
    each.kind === "fold" ? (
      <button
        type="button"
        class="fold"
        onClick={() => setOpened(new Set([...opened, each.from]))}
      >{`${each.count} unchanged lines`}</button>
    ) : (
      <Row row={each.row} layout={layout} />
    );
  if (lines.length > mostWhole)
    return (
      <Windowed
        class={`diff ${layout} long`}
        rows={lines}
        height={() => rowHeight}
        rowKey={({ id }) => id}
        render={draw}
        label={label}
      />
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={`diff ${layout}`} aria-label={label} tabIndex={0}>
      {lines.map((each) => (
        <div key={each.id}>{draw(each)}</div>
      ))}
    </section>
  );
}

function Row({ row, layout }: { row: DiffRow; layout: "split" | "inline" }): VNode {
  if (layout === "split")
    return (
      <div class="pair">
        <Side line={row.left} kind={row.kind === "same" ? "same" : row.left ? "old" : "none"} />
        <Side line={row.right} kind={row.kind === "same" ? "same" : row.right ? "new" : "none"} />
      </div>
    );
  if (row.kind === "same") return <Side line={row.right} kind="same" />;
  return row.left ? <Side line={row.left} kind="old" /> : <Side line={row.right} kind="new" />;
}

const signs = { same: " ", old: "−", new: "+", none: " " } as const;
const spoken = { same: "", old: "removed: ", new: "added: ", none: "" } as const;

function Side({ line, kind }: { line: DiffLine | undefined; kind: keyof typeof signs }): VNode {
  return (
    <div class={`side ${kind}`}>
      <span class="number" aria-hidden="true">
        {line && line.number > 0 ? line.number : ""}
      </span>
      <span class="sign" aria-hidden="true">
        {signs[kind]}
      </span>
      <span class="code" dir="ltr">
        {spoken[kind] && <span class="aside">{spoken[kind]}</span>}
        {line?.segments.map((segment) => drawSegment(segment, kind))}
        {line?.ending !== undefined && <mark class="unseen ending">{endingName(line.ending)}</mark>}
      </span>
    </div>
  );
}

function drawSegment({ text, changed }: DiffSegment, kind: keyof typeof signs): VNode {
  if (!changed) return <ShownText text={text} />;
  const shown = <ShownText text={text} spaces />;
  return kind === "old" ? <del>{shown}</del> : <ins>{shown}</ins>;
}

function endingName(ending: string): string {
  return ending === "\r\n" ? "CRLF" : ending === "\n" ? "LF" : "no line ending";
}

/** Unchanged rows far from a change are folded; a fold of one or two would save nothing. */
function fold(rows: readonly DiffRow[], opened: ReadonlySet<number>): Drawn[] {
  const near = new Uint8Array(rows.length);
  let since = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows.length; i++) {
    since = rows[i]!.kind === "changed" ? 0 : since + 1;
    if (since <= context) near[i] = 1;
  }
  since = Number.POSITIVE_INFINITY;
  for (let i = rows.length - 1; i >= 0; i--) {
    since = rows[i]!.kind === "changed" ? 0 : since + 1;
    if (since <= context) near[i] = 1;
  }
  // Without changes, all rows are shown.
  const whole = !near.includes(1);
  const drawn: Drawn[] = [];
  for (let i = 0; i < rows.length; ) {
    let end = i;
    while (end < rows.length && !whole && near[end] === 0) end++;
    if (end - i > 2 && !opened.has(i)) {
      drawn.push({ kind: "fold", id: `fold-${i}`, from: i, count: end - i });
      i = end;
    } else
      do drawn.push({ kind: "row", id: `row-${i}`, row: rows[i]! });
      while (++i < end);
  }
  return drawn;
}

/** A row of two sides as one line below the other. */
function unsplit(drawn: Drawn): Drawn[] {
  if (drawn.kind === "fold" || drawn.row.kind === "same") return [drawn];
  const { left, right } = drawn.row;
  return [
    ...(left ? [{ kind: "row", id: `${drawn.id}-`, row: { kind: "changed", left } } as const] : []),
    ...(right ? [{ kind: "row", id: `${drawn.id}+`, row: { kind: "changed", right } } as const] : []),
  ];
}

const longest = 2000;

/** Wraps a line that is longer than a screen into several rows. */
function cutLong(row: DiffRow): DiffRow[] {
  const sides = [row.left, row.right];
  if (sides.every((line) => !line || lengthOf(line) <= longest * 2)) return [row];
  const [left, right] = sides.map((line) => (line ? pieces(line) : []));
  const rows: DiffRow[] = [];
  for (let i = 0; i < Math.max(left!.length, right!.length); i++)
    rows.push({
      kind: row.kind,
      ...(left![i] ? { left: left![i] } : {}),
      ...(right![i] ? { right: right![i] } : {}),
    } as DiffRow);
  return rows;
}

function lengthOf({ segments }: DiffLine): number {
  return segments.reduce((sum, { text }) => sum + text.length, 0);
}

function pieces(line: DiffLine): DiffLine[] {
  const found: DiffLine[] = [];
  let segments: DiffSegment[] = [];
  let room = longest;
  const close = (): void => {
    if (segments.length > 0) found.push({ number: found.length === 0 ? line.number : 0, segments });
    segments = [];
    room = longest;
  };
  for (const { text, changed } of line.segments) {
    // Of a huge line, equal parts are shown only next to a change.
    const shown =
      changed || text.length <= 4 * longest
        ? text
        : `${text.slice(0, longest)} … ${text.length - 2 * longest} unchanged characters … ${text.slice(-longest)}`;
    for (let at = 0; at < shown.length; ) {
      const part = shown.slice(at, at + room);
      segments.push({ text: part, changed });
      at += part.length;
      room -= part.length;
      if (room === 0) close();
    }
  }
  close();
  return found;
}
