import { noTelemetry, type Telemetry } from "./telemetry.ts";

/** A counter of all processes. The labels are in the text format of Prometheus. */
export type Counter = { readonly name: string; readonly labels: string; readonly value: number };

/**
 * Counters and gauges in the text format of Prometheus. Label names and values never come from repositories. Counts are
 * kept in the database, so that one address shows those of all processes.
 */
export type Metrics = {
  add(name: MetricName, labels?: Labels, by?: number): void;
  /** Counts a duration into its bucket. */
  observe(name: "job_seconds", labels: Labels, seconds: number): void;
  /** Takes the counts that the database does not have yet. */
  takePending(): readonly Counter[];
  /** Puts counts back that could not be stored. */
  putBack(counters: readonly Counter[]): void;
  print(gauges: readonly Gauge[], stored: readonly Counter[]): string;
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
  return new CountingMetrics(telemetry);
}

class CountingMetrics implements Metrics {
  readonly #instruments: ReturnType<typeof createInstruments>;
  /** Counts that the database does not have yet, by name and labels. */
  #pending = new Map<string, Counter>();

  constructor(telemetry: Telemetry) {
    this.#instruments = createInstruments(telemetry);
  }

  add(name: MetricName, labels: Labels = {}, by = 1): void {
    this.#instruments[name](by, labels);
    this.#count(name, printLabels(labels), by);
  }

  observe(name: "job_seconds", labels: Labels, seconds: number): void {
    this.#instruments[name](seconds, labels);
    for (const most of [...buckets, "+Inf"])
      this.#count(
        `${name}_bucket`,
        printLabels({ ...labels, le: String(most) }),
        Number(seconds <= Number(most === "+Inf" ? Infinity : most)),
      );
    this.#count(`${name}_sum`, printLabels(labels), seconds);
    this.#count(`${name}_count`, printLabels(labels), 1);
  }

  takePending(): readonly Counter[] {
    const taken = [...this.#pending.values()];
    this.#pending = new Map();
    return taken;
  }

  putBack(counters: readonly Counter[]): void {
    for (const { name, labels, value } of counters) this.#count(name, labels, value);
  }

  print(gauges: readonly Gauge[], stored: readonly Counter[]): string {
    const all = new Map<string, Counter>();
    for (const counter of [...stored, ...this.#pending.values()]) {
      const key = `${counter.name}${counter.labels}`;
      all.set(key, { ...counter, value: (all.get(key)?.value ?? 0) + counter.value });
    }
    return [...printCounters([...all.values()]), ...printGauges(gauges), ""].join("\n");
  }

  #count(name: string, labels: string, by: number): void {
    const key = `${name}${labels}`;
    this.#pending.set(key, { name, labels, value: (this.#pending.get(key)?.value ?? 0) + by });
  }
}

/** The instruments of OpenTelemetry, with names in its style: dots between levels, no unit and no type. */
function createInstruments({ counter, timer }: Telemetry) {
  return {
    jobs_total: counter("suture.fleet.jobs", counters.jobs_total),
    deliveries_total: counter("suture.fleet.deliveries", counters.deliveries_total),
    database_errors_total: counter("suture.fleet.database_errors", counters.database_errors_total),
    job_seconds: timer("suture.fleet.job.duration", "How long jobs took.", buckets),
  };
}

function* printCounters(all: readonly Counter[]): Generator<string> {
  const series = (name: string): string[] =>
    all
      .filter((one) => one.name === name)
      .map(({ labels, value }) => `suture_fleet_${name}${labels} ${value}`);
  for (const [name, help] of Object.entries(counters)) {
    yield* head(name, help, "counter");
    yield* series(name);
  }
  yield* head("job_seconds", "How long jobs took.", "histogram");
  yield* inOrder(series("job_seconds_bucket"));
  for (const part of ["sum", "count"]) yield* series(`job_seconds_${part}`);
}

/** Prometheus wants the buckets of a series together, and by their limits. */
function inOrder(lines: readonly string[]): string[] {
  const parts = lines.map((line) => {
    const [, labels = "", limit = ""] = /^(.*?)le="(.*?)"/.exec(line) ?? [];
    return { line, labels, limit: limit === "+Inf" ? Infinity : Number(limit) };
  });
  const sorted = parts.sort((a, b) => compare(a.labels, b.labels) || compare(a.limit, b.limit));
  return sorted.map(({ line }) => line);
}

function compare<T extends string | number>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
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
