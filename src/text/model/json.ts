/** The value of a text; `undefined` where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of the UTF-8 bytes of a file, with a byte order mark or without. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  return parseJson(new TextDecoder().decode(bytes));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
