let started = false;

/**
 * AgentTools the SDK's own events to OpenTelemetry, where its package is installed beside Suture. Answers with what is
 * missing otherwise; nothing else depends on it.
 */
export async function startTracing(
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<string | null> {
  if (started) return null;
  try {
    const { OpenTelemetry } = (await load("@ai-sdk/otel")) as { OpenTelemetry: new () => object };
    const { registerTelemetry } = await import("ai");
    registerTelemetry(new OpenTelemetry());
    started = true;
    return null;
  } catch {
    return "tracing was asked for, but @ai-sdk/otel is not installed; nothing is traced";
  }
}
