import type { Tier } from "../drift/findings.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";
import { openMirrors } from "./clones/mirror.ts";
import type { Home } from "./home.ts";
import type { Shop } from "./jobs/job-run.ts";
import type { Wording } from "./jobs/rewrite-passages.ts";
import { credentialsFrom, type Environment, openSinks } from "./publish/sinks.ts";
import { openQueue, type Queue, type QueueOptions } from "./queue/queue.ts";
import { type Log, silent } from "./serve/log.ts";
import { createMetrics, type Metrics } from "./serve/metrics.ts";
import { asksForTelemetry, openTelemetry, type Telemetry, untold } from "./serve/telemetry.ts";
import type { Database } from "./store/database.ts";
import { migrate } from "./store/schema.ts";

/** Everything a process of the fleet needs, open. */
export type Fleet = Shop &
  Closable & {
    readonly database: Database;
    readonly queue: Queue;
    readonly home: Home;
    readonly log: Log;
    readonly metrics: Metrics;
    /** How long a job keeps its repository without a sign of life. */
    readonly leaseSeconds: number;
  };

export type FleetOptions = QueueOptions & {
  readonly home: Home;
  /** Where the server is; without one the database is embedded, for one process. */
  readonly url?: string | undefined;
  readonly environment?: Environment;
  readonly tiers?: readonly Tier[];
  /** The model for what rules leave, and the most that one job may spend. */
  readonly wording?: Pick<Wording, "model" | "maxUsd"> | undefined;
  /** Where patches are put by the directory sink. */
  readonly patches?: string | undefined;
  readonly log?: Log;
  /** Spans and figures for OpenTelemetry; unless it is said, as the environment asks. */
  readonly telemetry?: boolean | undefined;
  /** Called with what is being done, where it takes a while. */
  readonly progress?: (text: string) => void;
};

/** Opens the fleet, and brings its tables up to date. */
export async function openFleet(options: FleetOptions): Promise<Outcome<Fleet>> {
  const { home, log = silent, environment = process.env, tiers = ["certain"], heartbeat = 30 } = options;
  const telemetry = await listen(options, log, environment);
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  try {
    await migrate(database);
    const queue = await openQueue(database, {
      ...options,
      onError: (error) => log("queue", { why: error.message }),
    });
    return accept({
      database,
      ask: database.ask,
      queue,
      home,
      log,
      metrics: createMetrics(telemetry),
      span: telemetry.span,
      leaseSeconds: heartbeat * 2,
      tiers,
      ...(options.wording === undefined ? {} : { wording: { ...options.wording, environment } }),
      mirrors: openMirrors(await home.folder("mirrors"), credentialsFrom(environment)),
      sinks: openSinks(async () => options.patches ?? (await home.folder("patches")), environment),
      ...closable(async () => {
        await queue.close();
        await database.close();
        await telemetry.flush();
      }),
    });
  } catch (error) {
    await database.close().catch(() => {});
    throw error;
  }
}

/** Only who asked for it in so many words hears that it cannot be had. */
async function listen({ telemetry }: FleetOptions, log: Log, environment: Environment): Promise<Telemetry> {
  if (!(telemetry ?? asksForTelemetry(environment))) return untold;
  const opened = await openTelemetry();
  if (opened === null && telemetry) log("no-telemetry", { why: "@opentelemetry/api is not installed" });
  return opened ?? untold;
}

async function openDatabase({ url, home, progress = () => {} }: FleetOptions): Promise<Outcome<Database>> {
  try {
    if (url !== undefined && url !== "") {
      const { openPostgres } = await import("./store/postgres.ts");
      const database = await openPostgres(url);
      await database.ask("SELECT 1");
      return accept(database);
    }
    const lock = await home.lock("database");
    if (!lock.ok)
      return refuse({
        code: "unavailable",
        detail:
          "the embedded database is open in another process, and serves one; a server named by DATABASE_URL serves many",
      });
    progress("opening the embedded database; the first time takes some ten seconds");
    const { openEmbedded } = await import("./store/embedded.ts");
    const database = await openEmbedded(await home.folder("database"));
    const close = async (): Promise<void> => {
      await database.close();
      await lock.value.release("");
    };
    return accept({ ...database, close });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "ERR_MODULE_NOT_FOUND")
      return refuse({
        code: "unavailable",
        detail: `the fleet needs packages that are not installed: ${/'([^']+)'/.exec(message)?.[1] ?? message}; run \`npm install pg-boss pg @electric-sql/pglite\``,
      });
    return refuse({ code: "unavailable", detail: `the database cannot be reached: ${message || code}` });
  }
}
