import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, metrics, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAddress } from "../src/clones/address.ts";
import { type Fleet, type FleetOptions, openFleet } from "../src/fleet.ts";
import { openHome } from "../src/home.ts";
import { nightly } from "../src/queue/scheduler.ts";
import { startWorker } from "../src/queue/worker.ts";
import { openLog } from "../src/serve/log.ts";
import { isTelemetryRequested, openTelemetry } from "../src/serve/telemetry.ts";
import { readCounters } from "../src/store/counters.ts";
import { addRepositories, type Repository } from "../src/store/repositories.ts";
import { type Cluster, findPostgres, startCluster } from "./cluster.ts";
import { sutureFromSource } from "./from-source.ts";
import { type Generated, generate } from "./generate.ts";

const secret = "token-that-must-not-be-told";
const folder = mkdtempSync(join(tmpdir(), "suture-telemetry-"));
const spans = new InMemorySpanExporter();
const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const tracing = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(spans)] });
const measuring = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: figures, exportIntervalMillis: 3_600_000 })],
});
let cluster: Cluster | undefined;
let serial = 0;

beforeAll(async () => {
  if (findPostgres() !== null) cluster = await startCluster();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(tracing);
  metrics.setGlobalMeterProvider(measuring);
});

afterAll(async () => {
  trace.disable();
  metrics.disable();
  context.disable();
  await tracing.shutdown();
  await measuring.shutdown();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a job is a span with its steps below it, and is counted; closing the fleet sends both", async () => {
  let generated!: Generated;
  await withFleet({ telemetry: true }, async (fleet) => {
    ({ generated } = await enlist(fleet));
    const [gone] = await addRepositories(fleet.query, [
      { host: "local", organisation: "acme", name: "gone", url: join(folder, "nowhere") },
    ]);
    await work(fleet, gone!);
  });
  const told = spans.getFinishedSpans();
  const jobs = told.filter(({ parentSpanContext }) => parentSpanContext === undefined);
  const byRepository = (name: string): ReadableSpan[] =>
    jobs.filter(({ attributes }) => attributes["suture.repository"] === `acme/${name}`);
  expect(byRepository(generated.name).map((job) => [job.name, ...stepsOf(told, job)])).toEqual([
    ["job check", "fetch", "fetch", "check", "check"],
    ["job fix", "fetch", "fix"],
    ["job publish", "fetch", "publish"],
  ]);
  for (const { attributes, status } of byRepository(generated.name)) {
    expect(attributes).toMatchObject({ "suture.commit": generated.head, "suture.job.outcome": "done" });
    expect(status.code).toBe(0);
  }
  expect(byRepository("gone")).toMatchObject([
    { name: "job check", attributes: { "suture.job.outcome": "hopeless" }, status: { code: 2 } },
  ]);
  expect(told.filter(({ name, status }) => name === "fetch" && status.code === 2)).toMatchObject([
    { attributes: { "error.type": "GitError" } },
  ]);
  expect(
    JSON.stringify(told.map(({ attributes, status, events }) => [attributes, status, events])),
  ).not.toMatch(new RegExp(`${secret}|${folder}`));
  expect(readFigure("suture.fleet.jobs")).toEqual(
    expect.arrayContaining([
      [{ kind: "check", outcome: "done" }, 1],
      [{ kind: "publish", outcome: "done" }, 1],
      [{ kind: "check", outcome: "hopeless" }, 1],
    ]),
  );
  expect(readFigure("suture.fleet.job.duration")).toContainEqual([
    { kind: "check" },
    expect.objectContaining({ count: 2 }),
  ]);
});

test("without a request for telemetry nothing is sent, even if an SDK is registered", async () => {
  await measuring.forceFlush();
  const before = readFigure("suture.fleet.jobs");
  spans.reset();
  await withFleet({}, async (fleet) => {
    await enlist(fleet);
    expect(fleet.metrics.print([], await readCounters(fleet.query))).toMatch(
      /suture_fleet_jobs_total\{kind="publish",outcome="done"\} \d/,
    );
  });
  await tracing.forceFlush();
  await measuring.forceFlush();
  expect(spans.getFinishedSpans()).toEqual([]);
  expect(readFigure("suture.fleet.jobs")).toEqual(before);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" }, true],
  [{ OTEL_SERVICE_NAME: "fleet" }, true],
  [{ OTEL_SERVICE_NAME: "" }, false],
  [{ OTEL_SERVICE_NAME: "fleet", OTEL_SDK_DISABLED: "true" }, false],
  [{ PATH: "/bin" }, false],
])("the environment %o asks for it: %s", (environment, asked) => {
  expect(isTelemetryRequested(environment)).toBe(asked);
});

test("without the package the fleet works, and only --otel prints a warning", async () => {
  expect(await openTelemetry(() => Promise.reject(new Error("not found")))).toBeNull();
  await withFleet({}, (fleet) => enlist(fleet));
  const plain = await runOnce([], {});
  const asked = await runOnce([], { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  const insisted = await runOnce(["--otel"], {});
  expect(plain).toMatchObject({ code: 1, out: expect.stringContaining('"open": 1') });
  expect(plain.events).toContain("job");
  expect(asked).toEqual(plain);
  expect(insisted).toEqual({ ...plain, events: ["no-telemetry", ...plain.events] });
});

/** Opens a fleet without repositories on a database that this machine has, and closes it. */
async function withFleet(more: Partial<FleetOptions>, work: (fleet: Fleet) => Promise<unknown>) {
  const opened = await openFleet({
    home: await openHome(join(folder, "home")),
    url: cluster?.url,
    environment: { SUTURE_GITHUB_TOKEN: secret },
    log: openLog(() => {}, [secret]),
    heartbeat: 10,
    ...more,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  try {
    await opened.value.query(
      "DELETE FROM suture_queue.job; TRUNCATE suture_fleet.repository, suture_fleet.organisation CASCADE",
    );
    await work(opened.value);
  } finally {
    await opened.value.close();
  }
}

/** A repository whose page is false, worked on until it is published. */
async function enlist(fleet: Fleet): Promise<{ generated: Generated }> {
  const generated = await generate(join(folder, "repositories"), "acme", ++serial);
  const address = parseAddress(generated.folder);
  if (!address.ok) throw new Error("address");
  const [repository] = await addRepositories(fleet.query, [address.value]);
  await work(fleet, repository!);
  return { generated };
}

async function work(fleet: Fleet, repository: Repository): Promise<void> {
  await fleet.queue.add([nightly(repository)]);
  await startWorker(fleet, { untilEmpty: true, interval: 50, heartbeat: 10 }).ended;
}

function stepsOf(told: readonly ReadableSpan[], job: ReadableSpan): string[] {
  return told
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === job.spanContext().spanId)
    .map(({ name }) => name);
}

function readFigure(name: string): [object, unknown][] {
  const last = figures.getMetrics().at(-1);
  const found = last?.scopeMetrics
    .flatMap((scope) => scope.metrics)
    .find(({ descriptor }) => descriptor.name === name);
  return (found?.dataPoints ?? []).map(({ attributes, value }) => [attributes, value]);
}

/** `fleet run --once` in a process that cannot find the package; what was logged, without times and numbers. */
function runOnce(args: readonly string[], environment: Record<string, string>) {
  const hide = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, at, next) {
      if (name.startsWith("@opentelemetry/")) throw Object.assign(new Error(name), { code: "ERR_MODULE_NOT_FOUND" });
      return next(name, at);
    } });`;
  const home = join(folder, "home");
  return new Promise<{ code: unknown; out: string; events: string[] }>((resolve) => {
    execFile(
      process.execPath,
      [
        ...["--import", `data:text/javascript,${encodeURIComponent(hide)}`, ...sutureFromSource],
        ...["fleet", "run", "--once", "--json", "--home", home, ...args],
      ],
      {
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          ...(cluster ? { DATABASE_URL: cluster.url } : {}),
          ...environment,
        },
      },
      (error, out, err) =>
        resolve({
          code: error?.code ?? 0,
          out,
          events: err.split("\n").flatMap((line) => /^\{.*?"event":"([^"]+)"/.exec(line)?.[1] ?? []),
        }),
    );
  });
}
