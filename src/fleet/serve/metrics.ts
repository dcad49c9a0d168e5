import { noTelemetry, type Telemetry } from "./telemetry.ts";

/** Counters and gauges in the text format of Prometheus. Label names and values never come from repositories. */
export type Metrics = {
  add(name: MetricName, labels?: Labels, by?: number): void;
  /** Counts a duration into its bucket. */
  observe(name: "job_seconds", labels: Labels, seconds: number): void;
  print(gauges: readonly Gauge[]): string;
};

export type Labels = Readonly<Record<string, string>>;
export type Gauge = {
  readonly name: string;
  readonly help: string;
  readonly value: number;
  readonly labels?: Labels;
};

const counters = {
  jobs_total: "Jobs that ended, by kind and outcome.",
  deliveries_total: "Webhooks received, by result.",
  database_errors_total: "Statements that failed because the database was unavailable.",
} as const;

type MetricName = keyof typeof counters;

const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** Every count is also reported to OpenTelemetry, if it is available. */
export function createMetrics(telemetry: Telemetry = noTelemetry): Metrics {
  const counts = new Map<string, Map<string, number>>();
  const timings = new Map<string, { readonly in: number[]; sum: number; count: number }>();
  const tell = tellers(telemetry);
  return {
    add: (name, labels = {}, by = 1) => {
      tell[name](by, labels);
      const series = counts.get(name) ?? new Map<string, number>();
      counts.set(name, series);
      const key = printLabels(labels);
      series.set(key, (series.get(key) ?? 0) + by);
    },
    observe: (name, labels, seconds) => {
      tell[name](seconds, labels);
      const key = printLabels(labels);
      const timing = timings.get(key) ?? { in: buckets.map(() => 0), sum: 0, count: 0 };
      timings.set(key, timing);
      for (const [i, most] of buckets.entries()) if (seconds <= most) timing.in[i]!++;
      timing.sum += seconds;
      timing.count++;
    },
    print: (gauges) =>
      [...printCounters(counts), ...printTimings(timings), ...printGauges(gauges), ""].join("\n"),
  };
}

/** Names in the style of OpenTelemetry: dots between levels, no unit and no type. */
function tellers({ counter, timer }: Telemetry) {
  return {
    jobs_total: counter("suture.fleet.jobs", counters.jobs_total),
    deliveries_total: counter("suture.fleet.deliveries", counters.deliveries_total),
    database_errors_total: counter("suture.fleet.database_errors", counters.database_errors_total),
    job_seconds: timer("suture.fleet.job.duration", "How long jobs took.", buckets),
  };
}

function* printCounters(counts: ReadonlyMap<string, ReadonlyMap<string, number>>): Generator<string> {
  for (const [name, help] of Object.entries(counters)) {
    yield* head(name, help, "counter");
    for (const [labels, value] of counts.get(name) ?? []) yield `suture_fleet_${name}${labels} ${value}`;
  }
}

function* printTimings(
  timings: ReadonlyMap<string, { readonly in: readonly number[]; sum: number; count: number }>,
): Generator<string> {
  const name = "suture_fleet_job_seconds";
  yield* head("job_seconds", "How long jobs took.", "histogram");
  for (const [labels, timing] of timings) {
    const inside = labels.slice(1, -1);
    for (const [i, most] of [...buckets, "+Inf"].entries())
      yield `${name}_bucket{${inside}${inside ? "," : ""}le="${most}"} ${timing.in[i] ?? timing.count}`;
    yield `${name}_sum${labels} ${timing.sum}`;
    yield `${name}_count${labels} ${timing.count}`;
  }
}

function* printGauges(gauges: readonly Gauge[]): Generator<string> {
  let last = "";
  for (const { name, help, value, labels = {} } of gauges) {
    if (name !== last) yield* head(name, help, "gauge");
    last = name;
    yield `suture_fleet_${name}${printLabels(labels)} ${value}`;
  }
}

function* head(name: string, help: string, type: string): Generator<string> {
  yield `# HELP suture_fleet_${name} ${help}`;
  yield `# TYPE suture_fleet_${name} ${type}`;
}

function printLabels(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, "_")}"`);
  return all.length === 0 ? "" : `{${all.join(",")}}`;
}
