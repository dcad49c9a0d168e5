import type { PoolClient } from "pg";
import { type Database, engineOf, type Query } from "./database.ts";

/** A pool of connections to a server. A broken connection is replaced; its current query fails. */
export async function openPostgres(url: string, { most = 8 } = {}): Promise<Database> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: most,
    application_name: "suture-fleet",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // If an idle connection breaks, the next query opens another one.
  pool.on("error", () => {});
  let trips = 0;
  const queryOn =
    (client: Pick<PoolClient, "query">): Query =>
    async (text, values = []) => {
      trips++;
      const result = await client.query(text, values as unknown[]);
      return Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;
    };
  const query = queryOn(pool);
  return {
    kind: "server",
    query,
    engine: engineOf(query),
    transaction: async (work) => {
      const client = await pool.connect();
      let broken: Error | undefined;
      const notice = (error: Error): void => {
        broken = error;
      };
      client.on("error", notice);
      const inside = queryOn(client);
      try {
        await inside("BEGIN");
        const value = await work(inside);
        await inside("COMMIT");
        return value;
      } catch (error) {
        await inside("ROLLBACK").catch((failed: Error) => {
          broken = failed;
        });
        throw error;
      } finally {
        client.off("error", notice);
        client.release(broken);
      }
    },
    roundTrips: () => trips,
    close: () => pool.end(),
  };
}
