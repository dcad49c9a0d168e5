import type { VNode } from "preact";

type ChartDay = { readonly day: string };
type Series<D> = readonly [name: string, value: (day: D) => number];

export type ChartProps<D extends ChartDay> = {
  readonly title: string;
  readonly days: readonly D[];
  readonly first: Series<D>;
  /** Drawn behind the first. */
  readonly second?: Series<D>;
  /** What the legend says: the sum of all days, or the last day. */
  readonly says?: "sum" | "last";
  readonly print?: (value: number) => string;
};

type BarStyle = { readonly kind: "first" | "second"; readonly inset: number };

const width = 600;
const height = 96;

/** One bar for each day. The label has the same figures for screen readers. */
export function Chart<D extends ChartDay>({
  title,
  days,
  first,
  second,
  says = "sum",
  print = (value) => value.toLocaleString(),
}: ChartProps<D>): VNode {
  const all = days.flatMap((day) => [first[1](day), second ? second[1](day) : 0]);
  const most = Math.max(1e-9, ...all);
  const step = width / Math.max(1, days.length);
  const bar = (i: number, value: number, { kind, inset }: BarStyle): VNode => {
    const size = (value / most) * (height - 8);
    return (
      <rect
        class={kind}
        x={i * step + inset}
        y={height - size}
        width={Math.max(1, step - 2 * inset)}
        height={size}
        rx={1.5}
      />
    );
  };
  const last = days.at(-1);
  const sum = ([, value]: Series<D>): number =>
    says === "sum"
      ? days.reduce((total, day) => total + value(day), 0)
      : last === undefined
        ? 0
        : value(last);
  const words = [first, ...(second ? [second] : [])]
    .map((series) => `${print(sum(series))} ${series[0]}`)
    .join(", ");
  return (
    <figure>
      <h2>{title}</h2>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${words} ${says === "sum" ? "in" : "after"} ${days.length} days`}
      >
        {days.map((day, i) => (
          <g key={day.day}>
            {second && bar(i, second[1](day), { kind: "second", inset: 1 })}
            {bar(i, first[1](day), { kind: "first", inset: 3 })}
          </g>
        ))}
        <line class="ground" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
      </svg>
      <figcaption class="chart-legend">
        <span>{days[0]?.day}</span>
        <span>{words}</span>
        <span>{days.at(-1)?.day}</span>
      </figcaption>
    </figure>
  );
}
