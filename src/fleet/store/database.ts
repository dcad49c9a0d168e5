import type { Db } from "pg-boss";

export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement with its values, or several statements without any. */
export type Ask = <T extends Row = Row>(text: string, values?: readonly unknown[]) => Promise<T[]>;

/** PostgreSQL, on a server or inside this process. The same SQL runs on both. */
export type Database = {
  readonly kind: "server" | "embedded";
  readonly ask: Ask;
  /** All or nothing; the work gets an `Ask` of its own. */
  transaction<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
  /** The same database as the queue engine wants to see it. */
  readonly engine: Db;
  /** How often the server was asked so far. */
  roundTrips(): number;
  close(): Promise<void>;
};

/** An `Ask` as the queue engine wants to see it, so that its statements join a transaction. */
export function engineOf(ask: Ask): Db {
  return { executeSql: async (text, values) => ({ rows: await ask(text, values ?? []) }) };
}

/** Whether an error says that the server is away or going: the same question can be asked again later. */
export function isAway(error: unknown): boolean {
  const { code, message = "" } = (error ?? {}) as { code?: string; message?: string };
  if (code !== undefined && /^(08|57P0|53300|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|ENOENT|EAI_AGAIN)/.test(code))
    return true;
  return /connection terminated|timeout exceeded when trying to connect|server closed|not queryable/i.test(
    message,
  );
}
