import type { Attributes } from "@opentelemetry/api";
import type { Environment } from "../publish/sinks.ts";

type Api = typeof import("@opentelemetry/api");

/** Says what became of the work that a span is about. */
export type Note = (attributes: Attributes, outcome?: "failed") => void;

/** Does work inside a span, a child of the one it is called in. */
export type Span = <T>(
  name: string,
  attributes: Attributes,
  work: (note: Note) => T | Promise<T>,
) => Promise<T>;

/**
 * Spans and figures for whatever SDK the process has registered with OpenTelemetry. Attributes are names, commits and
 * outcomes; what an error says stays in the log, which hides secrets.
 */
export type Telemetry = {
  readonly span: Span;
  counter(name: string, help: string): (by: number, labels: Attributes) => void;
  timer(name: string, help: string, buckets: number[]): (seconds: number, labels: Attributes) => void;
  /** Has the SDK send what it holds. */
  flush(): Promise<void>;
};

/** Where nobody listens. */
export const untold: Telemetry = {
  span: async (_, __, work) => work(() => {}),
  counter: () => () => {},
  timer: () => () => {},
  flush: async () => {},
};

/** The environment that OpenTelemetry's own tools are set up by. */
export function asksForTelemetry(environment: Environment): boolean {
  if (/^true$/i.test(environment.OTEL_SDK_DISABLED ?? "")) return false;
  return Object.entries(environment).some(([name, value]) => name.startsWith("OTEL_") && value);
}

/** Null where the package is not installed. */
export async function openTelemetry(
  load: () => Promise<Api> = () => import("@opentelemetry/api"),
): Promise<Telemetry | null> {
  const api = await load().catch(() => null);
  if (api === null) return null;
  const tracer = api.trace.getTracer("suture.fleet");
  const meter = api.metrics.getMeter("suture.fleet");
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        const fail = (): unknown => span.setStatus({ code: api.SpanStatusCode.ERROR });
        try {
          return await work((more, outcome) => {
            span.setAttributes(more);
            if (outcome === "failed") fail();
          });
        } catch (error) {
          span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
          fail();
          throw error;
        } finally {
          span.end();
        }
      }),
    counter: (name, help) => {
      const counter = meter.createCounter(name, { description: help });
      return (by, labels) => counter.add(by, labels);
    },
    timer: (name, help, buckets) => {
      const advice = { explicitBucketBoundaries: buckets };
      const histogram = meter.createHistogram(name, { description: help, unit: "s", advice });
      return (seconds, labels) => histogram.record(seconds, labels);
    },
    flush: async () => {
      await Promise.allSettled([flush(api.trace.getTracerProvider()), flush(api.metrics.getMeterProvider())]);
    },
  };
}

/** The API stands in for the provider that was registered; only that one may know how to flush. */
async function flush(provider: object): Promise<void> {
  const standing = provider as { getDelegate?: () => object };
  const registered = (standing.getDelegate?.() ?? provider) as { forceFlush?: () => Promise<void> };
  await registered.forceFlush?.();
}
