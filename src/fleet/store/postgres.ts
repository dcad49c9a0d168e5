import type { PoolClient } from "pg";
import { type Ask, type Database, engineOf } from "./database.ts";

/** A pool of connections to a server. A connection that breaks is replaced; who was using it hears the error. */
export async function openPostgres(url: string, { most = 8 } = {}): Promise<Database> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: most,
    application_name: "suture-fleet",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection that breaks while nobody uses it is no news: the next question opens another.
  pool.on("error", () => {});
  let trips = 0;
  const asking =
    (client: Pick<PoolClient, "query">): Ask =>
    async (text, values = []) => {
      trips++;
      const result = await client.query(text, values as unknown[]);
      return Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;
    };
  const ask = asking(pool);
  return {
    kind: "server",
    ask,
    engine: engineOf(ask),
    transaction: async (work) => {
      const client = await pool.connect();
      let broken: Error | undefined;
      const notice = (error: Error): void => {
        broken = error;
      };
      client.on("error", notice);
      const inside = asking(client);
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
