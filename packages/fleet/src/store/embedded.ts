import type { Transaction } from "@electric-sql/pglite";
import { type Database, engineOf, type Query } from "./database.ts";

/** PostgreSQL compiled to WebAssembly, in this process. Without a folder, it is in memory only. */
export async function openEmbedded(folder?: string): Promise<Database> {
  const { PGlite } = await import("@electric-sql/pglite");
  const { btree_gist } = await import("@electric-sql/pglite/contrib/btree_gist");
  const lite = await PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    extensions: { btree_gist },
  });
  let trips = 0;
  const queryOn =
    (session: Pick<Transaction, "query" | "exec">): Query =>
    async <T>(text: string, values: readonly unknown[] = []) => {
      trips++;
      if (values.length > 0) return (await session.query<T>(text, values as unknown[])).rows;
      return (await session.exec(text)).flatMap(({ rows }) => rows as T[]);
    };
  // All queries share one session, so a failed statement must be rolled back before the next one.
  const query: Query = async (text, values) => {
    try {
      return await queryOn(lite)(text, values);
    } catch (error) {
      await lite.exec("ROLLBACK").catch(() => {});
      throw error;
    }
  };
  return {
    kind: "embedded",
    query,
    engine: engineOf(query),
    transaction: (work) => lite.transaction((session) => work(queryOn(session))),
    roundTrips: () => trips,
    close: () => lite.close(),
  };
}
