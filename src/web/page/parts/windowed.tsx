import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

export type WindowedProps<T> = {
  readonly rows: readonly T[];
  readonly height: (row: T) => number;
  readonly rowKey: (row: T) => string | number;
  readonly render: (row: T, index: number) => ComponentChildren;
  /** The row to keep in sight. */
  readonly reveal?: number;
  readonly label: string;
  readonly class?: string;
  /** A header that stays at the top. It belongs to the first visible row. */
  readonly pinned?: (index: number) => ComponentChildren;
  /** The list is as high as its rows, up to this many pixels. Without it, CSS sets the height. */
  readonly most?: number;
};

const margin = 400;

/** A virtual list: only the visible rows are rendered. Row heights are known in advance. */
export function Windowed<T>(props: WindowedProps<T>): VNode {
  const { rows, height, rowKey, render, reveal = -1, label } = props;
  const box = useRef<HTMLElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 800 });
  const tops = useMemo(() => offsets(rows, height), [rows, height]);

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = (): void => setSight({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  useEffect(() => {
    const element = box.current!;
    if (reveal < 0 || reveal >= rows.length) return;
    const [top, bottom] = [tops[reveal]!, tops[reveal + 1]!];
    if (top < element.scrollTop + 44) element.scrollTop = Math.max(0, top - 44);
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight + 8;
    // Scroll only when another row is selected. Other changes must not move a person who has scrolled away.
  }, [reveal]);

  const first = Math.max(0, indexAt(tops, sight.top - margin));
  const last = Math.min(rows.length, indexAt(tops, sight.top + sight.height + margin) + 1);
  return (
    <section
      ref={box}
      class={`windowed ${props.class ?? ""}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={props.most === undefined ? {} : { height: `${Math.min(props.most, tops[rows.length]! + 2)}px` }}
    >
      {props.pinned && sight.top > 0 && (
        <div class="pinned" aria-hidden="true">
          {props.pinned(Math.min(indexAt(tops, sight.top), rows.length - 1))}
        </div>
      )}
      <ul style={{ height: `${tops[rows.length]}px` }}>
        {rows.slice(first, last).map((row, i) => (
          <li
            key={rowKey(row)}
            style={{ transform: `translateY(${tops[first + i]}px)`, height: `${height(row)}px` }}
          >
            {render(row, first + i)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function offsets<T>(rows: readonly T[], height: (row: T) => number): Float64Array {
  const tops = new Float64Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) tops[i + 1] = tops[i]! + height(rows[i]!);
  return tops;
}

/** The last row that starts at or above an offset. */
function indexAt(tops: Float64Array, offset: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
