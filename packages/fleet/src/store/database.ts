import type { Db } from "pg-boss";

export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement with its values, or several statements without any. */
export type Query = <T extends Row = Row>(text: string, values?: readonly unknown[]) => Promise<T[]>;

/** PostgreSQL, on a server or inside this process. The same SQL runs on both. */
export type Database = {
  readonly kind: "server" | "embedded";
  readonly query: Query;
  /** All or nothing. The work gets a `Query` of its own. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** The same database in the form that the queue engine needs. */
  readonly engine: Db;
  /** The number of queries so far. */
  roundTrips(): number;
  close(): Promise<void>;
};

/** A `Query` in the form that the queue engine needs, so that its statements join a transaction. */
export function engineOf(query: Query): Db {
  return { executeSql: async (text, values) => ({ rows: await query(text, values ?? []) }) };
}

/** Errors of the driver without a code: these texts, of `pg` and `pg-pool`, are the only sign. */
const lostConnection =
  /connection terminated|timeout exceeded when trying to connect|server closed|not queryable/i;

/** The codes of PostgreSQL and of the system for a server that is unavailable. */
const unavailableCodes = /^(08|57P0|53300|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|ENOENT|EAI_AGAIN)/;

/** Whether an error says that the server is unavailable, so that the same query can be retried later. */
export function isUnavailable(error: unknown): boolean {
  const { code, message = "" } = (error ?? {}) as { code?: string; message?: string };
  return code === undefined ? lostConnection.test(message) : unavailableCodes.test(code);
}
