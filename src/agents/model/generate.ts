type Sdk = typeof import("ai");

/** How long a step, or a silence where answers come in pieces, may last; and how long the whole. */
export type TimeLimits = { readonly stepMs: number; readonly totalMs: number };

/** One conversation, whole or in pieces; what comes of it is told step by step. Whatever fails is thrown. */
export async function generate(
  sdk: Sdk,
  inPieces: boolean,
  { stepMs, totalMs }: TimeLimits,
  call: Parameters<Sdk["generateText"]>[0] & Parameters<Sdk["streamText"]>[0],
): Promise<void> {
  if (!inPieces) {
    await sdk.generateText({ ...call, timeout: { stepMs, totalMs } });
    return;
  }
  let failure: unknown;
  const { signal, touch, end } = watchSilence(stepMs, call.abortSignal);
  try {
    // Raw pieces are asked for because some of them, such as counts of tokens, become no part of the answer.
    const options = { ...call, abortSignal: signal, timeout: { totalMs }, includeRawChunks: true };
    const { fullStream } = sdk.streamText({ ...options, onError: ({ error }) => void (failure ??= error) });
    for await (const _ of fullStream) touch();
  } finally {
    end();
  }
  signal.throwIfAborted();
  if (failure !== undefined) throw failure;
}

/** A signal that ends what has been silent for too long; the SDK's own limits begin with the first piece. */
function watchSilence(mostMs: number, outer: AbortSignal | undefined) {
  const silence = new AbortController();
  const stop = (): void => silence.abort(new DOMException("no answer in time", "TimeoutError"));
  let timer = setTimeout(stop, mostMs);
  return {
    signal: outer ? AbortSignal.any([outer, silence.signal]) : silence.signal,
    touch: (): void => {
      clearTimeout(timer);
      timer = setTimeout(stop, mostMs);
    },
    end: (): void => clearTimeout(timer),
  };
}
