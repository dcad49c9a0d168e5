import type { Attributes } from "@opentelemetry/api";
import type { Environment } from "suture/service";

type Api = typeof import("@opentelemetry/api");

/** Adds the result to a span. */
export type EndSpan = (attributes: Attributes, outcome?: "failed") => void;

/** Runs work inside a span. Nested calls make child spans. */
export type RunSpan = <T>(
  name: string,
  attributes: Attributes,
  work: (note: EndSpan) => T | Promise<T>,
) => Promise<T>;

/**
 * Spans and metrics for the SDK that the process has registered with OpenTelemetry. Attributes are names, commits and
 * outcomes. Error messages go to the log only, which redacts secrets.
 */
export type Telemetry = {
  readonly span: RunSpan;
  counter(name: string, help: string): (by: number, labels: Attributes) => void;
  timer(name: string, help: string, buckets: number[]): (seconds: number, labels: Attributes) => void;
  /** Makes the SDK send its buffered data. */
  flush(): Promise<void>;
};

/** Telemetry that records nothing. */
export const noTelemetry: Telemetry = {
  span: async (_, __, work) => work(() => {}),
  counter: () => () => {},
  timer: () => () => {},
  flush: async () => {},
};

/** Whether the standard variables of OpenTelemetry request it. */
export function isTelemetryRequested(environment: Environment): boolean {
  if (/^true$/i.test(environment.OTEL_SDK_DISABLED ?? "")) return false;
  return Object.entries(environment).some(([name, value]) => name.startsWith("OTEL_") && value);
}

/** Null if the package is not installed. */
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

/** The API returns a proxy. Only the registered provider behind it can flush. */
async function flush(provider: object): Promise<void> {
  const proxy = provider as { getDelegate?: () => object };
  const registered = (proxy.getDelegate?.() ?? provider) as { forceFlush?: () => Promise<void> };
  await registered.forceFlush?.();
}
