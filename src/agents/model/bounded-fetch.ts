const mostBytes = 16 * 1024 * 1024;

/**
 * Fetch for talking to models: an answer that never ends is cut off with an error, and no redirect is followed,
 * because a key sent in a header of its own would follow it to another host.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "error" });
  if (!response.body) return response;
  let bytes = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > mostBytes) controller.error(new Error(`the answer is larger than ${mostBytes} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded, response);
};
