import { modelText } from "../../wording/agents.ts";

let started = false;

/**
 * Sends the SDK's events to OpenTelemetry if its package is installed beside Suture. Otherwise the answer says what is
 * missing.
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
    return modelText.noTracing;
  }
}
