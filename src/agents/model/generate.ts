type Sdk = typeof import("ai");

/** `stepMs` limits a step or, when streaming, a silence. `totalMs` limits the whole conversation. */
export type TimeLimits = { readonly stepMs: number; readonly totalMs: number };

type Generation = {
  readonly sdk: Sdk;
  readonly stream: boolean;
  readonly limits: TimeLimits;
  readonly call: Parameters<Sdk["generateText"]>[0] & Parameters<Sdk["streamText"]>[0];
};

/** Runs one conversation. The callbacks of `call` report each step; a failure is thrown. */
export async function generate({ sdk, stream, limits, call }: Generation): Promise<void> {
  const { stepMs, totalMs } = limits;
  if (!stream) {
    await sdk.generateText({ ...call, timeout: { stepMs, totalMs } });
    return;
  }
  let failure: unknown;
  const { signal, touch, end } = watchSilence(stepMs, call.abortSignal);
  try {
    // Some raw chunks, such as token counts, never become part of the answer, but they do break a silence.
    const options = { ...call, abortSignal: signal, timeout: { totalMs }, includeRawChunks: true };
    const { fullStream } = sdk.streamText({ ...options, onError: ({ error }) => void (failure ??= error) });
    for await (const _ of fullStream) touch();
  } finally {
    end();
  }
  signal.throwIfAborted();
  if (failure !== undefined) throw failure;
}

/** A signal that aborts after too long a silence. The SDK's own limits start only with the first chunk. */
function watchSilence(maxMs: number, outer: AbortSignal | undefined) {
  const silence = new AbortController();
  const stop = (): void => silence.abort(new DOMException("no answer in time", "TimeoutError"));
  let timer = setTimeout(stop, maxMs);
  return {
    signal: outer ? AbortSignal.any([outer, silence.signal]) : silence.signal,
    touch: (): void => {
      clearTimeout(timer);
      timer = setTimeout(stop, maxMs);
    },
    end: (): void => clearTimeout(timer),
  };
}
