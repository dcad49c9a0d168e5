import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { defined } from "../../text/model/defined.ts";

const maxBytes = 16 * 1024 * 1024;

/**
 * Fetch for model providers. An endless answer ends with an error. Redirects are refused, because a key in a custom
 * header would follow them to another host. The caller's signal alone says how long to wait: Node's own fetch gives up
 * after 300 seconds without an answer, and a model on a slow machine may think for longer.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { signal } = request;
  const message = await send(request).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : new TypeError("fetch failed", { cause: error });
  });
  const { statusCode: status = 500, statusMessage: statusText = "" } = message;
  if (status >= 300 && status < 400) {
    message.destroy();
    throw new TypeError("fetch failed", { cause: new Error("unexpected redirect") });
  }
  const isEmpty = status === 204 || status === 205 || request.method === "HEAD";
  return new Response(isEmpty ? null : bodyOf(message, signal), {
    status,
    statusText,
    headers: headersOf(message),
  });
};

async function send(request: Request): Promise<IncomingMessage> {
  const { method, url, signal } = request;
  const body = Buffer.from(await request.arrayBuffer());
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const open = new URL(url).protocol === "https:" ? requestHttps : requestHttp;
  const headers = {
    ...Object.fromEntries(request.headers),
    "accept-encoding": "identity",
    ...defined({ "content-length": body.length > 0 ? body.length : undefined }),
  };
  open(url, { method, headers, signal }, resolve).once("error", reject).end(body);
  return promise;
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

function bodyOf(message: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream({
    start(controller) {
      message.on("data", (chunk: Buffer) => {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) message.destroy(new Error(`the answer is larger than ${maxBytes} bytes`));
        else controller.enqueue(new Uint8Array(chunk));
      });
      message.once("end", () => controller.close());
      message.once("error", (error) => controller.error(signal.aborted ? signal.reason : error));
    },
    cancel() {
      message.destroy();
    },
  });
}
