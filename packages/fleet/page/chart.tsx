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
const fewestPlaces = 30;

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
  // The first days of a fleet are narrow bars at the end, as later ones are.
  const places = Math.max(fewestPlaces, days.length);
  const step = width / places;
  const bar = (i: number, value: number, { kind, inset }: BarStyle): VNode => {
    const size = (value / most) * (height - 8);
    return (
      <rect
        class={kind}
        x={(places - days.length + i) * step + inset}
        y={height - size}
        width={Math.max(1, step - 2 * inset)}
        height={size}
        rx={1.5}
      />
    );
  };
  const wordsOf = (some: readonly D[]): string =>
    [first, ...(second ? [second] : [])]
      .map(([name, value]) => `${print(some.reduce((total, day) => total + value(day), 0))} ${name}`)
      .join(", ");
  const words = wordsOf(says === "sum" ? days : days.slice(-1));
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
            <title>{`${day.day}: ${wordsOf([day])}`}</title>
            {second && bar(i, second[1](day), { kind: "second", inset: 1 })}
            {bar(i, first[1](day), { kind: "first", inset: 3 })}
          </g>
        ))}
        <line class="ground" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
      </svg>
      <figcaption class="chart-legend">
        <span>{days.length < places ? "" : days[0]?.day}</span>
        <span>{words}</span>
        <span>{days.at(-1)?.day}</span>
      </figcaption>
    </figure>
  );
}
