import type { Context } from "../tools/tool.ts";

/** The context with the signal of one call beside its own. */
export function withSignal(context: Context, signal: AbortSignal | undefined): Context {
  if (signal === undefined) return context;
  return {
    ...context,
    signal: context.signal === undefined ? signal : AbortSignal.any([context.signal, signal]),
  };
}
