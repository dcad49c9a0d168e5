import type { WorkTreePin } from "../../workspace/git/work-tree-pin.ts";

/** Where a session began in one work tree. */
export type SessionStart = {
  readonly pin: WorkTreePin;
  /** How often HEAD had moved by then. */
  readonly moves: number;
  /** The work trees that the repository had. */
  readonly workTrees: readonly string[];
  /** No hook ran when the session began, so the changes since then may be the user's. */
  readonly isLate?: true;
};

/** The state that hooks keep for one session of a coding agent in one repository. */
export type AgentSession = {
  readonly client: string;
  /** By the top of a work tree. */
  readonly starts: Readonly<Record<string, SessionStart>>;
  /** The ids of the findings that were reported, by sub-agent; the main agent is "". */
  readonly shown: Readonly<Record<string, readonly string[]>>;
  /** How often the end of the present turn was blocked. */
  readonly blocks: number;
  /** Messages that were shown already and are shown only once. */
  readonly said: readonly string[];
};

export const freshSession = (client: string): AgentSession => ({
  client,
  starts: {},
  shown: {},
  blocks: 0,
  said: [],
});

/** A session as text. The bytes of pinned files are compressed. */
export function printSession(session: AgentSession): string {
  const { deflateSync } = process.getBuiltinModule("node:zlib");
  const starts = Object.entries(session.starts).map(([top, start]) => {
    const files = start.pin.files.map(({ bytes, ...file }) =>
      bytes ? { ...file, bytes: { deflated: deflateSync(bytes).toString("base64") } } : file,
    );
    return [top, { ...start, pin: { ...start.pin, files } }] as const;
  });
  return JSON.stringify({ version: 1, ...session, starts: Object.fromEntries(starts) });
}

/** The session that a text holds; `null` where it is none of ours. */
export function parseSession(text: string): AgentSession | null {
  const { inflateSync } = process.getBuiltinModule("node:zlib");
  try {
    const { version, ...session } = JSON.parse(text, (_key, value: { deflated?: unknown } | null) =>
      typeof value?.deflated === "string" ? inflateSync(Buffer.from(value.deflated, "base64")) : value,
    ) as AgentSession & { version: number };
    return version === 1 ? session : null;
  } catch {
    return null;
  }
}
