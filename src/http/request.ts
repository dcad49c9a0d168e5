import type { IncomingMessage } from "node:http";

/** The part of a request that is known before its body is read. */
export type RequestHead = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export function headOf({ method = "", url = "", headers }: IncomingMessage): RequestHead {
  return { method, url, headers };
}

/** Whether the body is declared as JSON. No HTML form and no simple cross-site request can declare that. */
export function isJson({ headers }: RequestHead): boolean {
  const type = headers["content-type"];
  return typeof type === "string" && /^application\/json\s*(;|$)/i.test(type);
}

export type BodyOptions = {
  /** The largest body, in bytes. */
  readonly most: number;
  /** Called with the size of each chunk as it arrives. */
  readonly onChunk?: (bytes: number) => void;
};

/** The body of a request; null when it is larger than allowed. */
export async function readBody(
  request: IncomingMessage,
  { most, onChunk }: BodyOptions,
): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    onChunk?.(chunk.length);
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
