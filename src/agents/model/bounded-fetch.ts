const maxBytes = 16 * 1024 * 1024;

/**
 * Fetch for model providers. An endless answer ends with an error. Redirects are refused, because a key in a custom
 * header would follow them to another host.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "error" });
  if (!response.body) return response;
  let bytes = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new Error(`the answer is larger than ${maxBytes} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded, response);
};
