import { versionOf } from "../files/content.ts";

/** The types of records in a transaction log. */
export type RecordType = "begin" | "texts" | "commit" | "done" | "aborted";

/** `epoch` is the lock epoch of the writer. `hash` covers this record and every record before it. */
export type JournalRecord = {
  readonly type: RecordType;
  readonly epoch: number;
  readonly hash: string;
  readonly body: unknown;
};

/**
 * How a log ends. `torn`: the last record is incomplete, as after a crash, and counts as not written. `corrupt`: a
 * record before the end was damaged. `newer`: a later version of the format.
 */
export type JournalEnd = "whole" | "torn" | "corrupt" | "newer";

export type Parsed = {
  readonly records: readonly JournalRecord[];
  readonly length: number;
  readonly ending: JournalEnd;
};

const magic = "suture-journal";
const format = 1;

export type NewRecord = Omit<JournalRecord, "hash"> & {
  /** Hash of the record before. */ readonly previous: string;
};

/** One record: a line with format, type, epoch, length and hash, then the body as JSON on a line of its own. */
export function printRecord({ type, epoch, body, previous }: NewRecord): { text: string; hash: string } {
  const json = JSON.stringify(body);
  const size = new TextEncoder().encode(json).length;
  const head = `${magic} ${format} ${type} ${epoch} ${size}`;
  const hash = hashOf(head, json, previous);
  return { text: `${head} ${hash}\n${json}\n`, hash };
}

/** Every record that is complete and matches its hash, in order, and how the log ends. */
export function parseRecords(bytes: Uint8Array): Parsed {
  const records: JournalRecord[] = [];
  let at = 0;
  while (at < bytes.length) {
    const found = recordAt(bytes, at, records.at(-1)?.hash ?? "");
    if (typeof found === "string") return { records, length: at, ending: found };
    records.push(found.record);
    at = found.end;
  }
  return { records, length: at, ending: "whole" };
}

const decoder = new TextDecoder("utf-8", { fatal: true });
const header = /^suture-journal ([0-9]{1,9}) ([a-z]{1,20}) ([0-9]{1,15}) ([0-9]{1,12}) ([0-9a-f]{64})$/;
const types: ReadonlySet<string> = new Set<RecordType>(["begin", "texts", "commit", "done", "aborted"]);
const longestHeader = 200;

function recordAt(
  bytes: Uint8Array,
  at: number,
  previous: string,
): { record: JournalRecord; end: number } | JournalEnd {
  const feed = bytes.indexOf(10, at);
  if (feed < 0 || feed - at > longestHeader) return follows(bytes, at) ? "corrupt" : "torn";
  const fields = header.exec(Buffer.from(bytes.buffer, bytes.byteOffset + at, feed - at).toString("latin1"));
  if (!fields) return follows(bytes, at) ? "corrupt" : "torn";
  const [head, version, type, epoch, size, hash] = fields as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const end = feed + 1 + Number(size) + 1;
  const whole = end <= bytes.length && bytes[end - 1] === 10;
  const body = whole ? textOf(bytes.subarray(feed + 1, end - 1)) : null;
  const sound = body !== null && hashOf(head.slice(0, head.lastIndexOf(" ")), body, previous) === hash;
  if (!sound) return follows(bytes, feed) ? "corrupt" : "torn";
  // The version can be trusted only if the hash is right.
  if (Number(version) > format || !types.has(type)) return "newer";
  return { record: { type: type as RecordType, epoch: Number(epoch), hash, body: JSON.parse(body) }, end };
}

/** Whether a later record follows: then this one was once complete. A body cannot contain a header with its line end. */
function follows(bytes: Uint8Array, at: number): boolean {
  const rest = Buffer.from(bytes.buffer, bytes.byteOffset + at + 1, Math.max(0, bytes.length - at - 1));
  return /suture-journal [0-9]{1,9} [a-z]{1,20} [0-9]{1,15} [0-9]{1,12} [0-9a-f]{64}\n/.test(
    rest.toString("latin1"),
  );
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function hashOf(head: string, body: string, previous: string): string {
  return versionOf(new TextEncoder().encode(`${previous}\n${head}\n${body}`));
}
