import { join } from "node:path";
import type { Tier } from "suture/drift";
import { type Closable, closable, type Environment, readKnownHosts } from "suture/service";
import { accept, type Outcome, refuse } from "suture/text";
import { openMirrors } from "./clones/mirror.ts";
import { type Home, isThere } from "./home.ts";
import { type CheckLimits, CheckProcesses } from "./jobs/check-process.ts";
import type { JobDeps } from "./jobs/job-run.ts";
import type { RewriteOptions } from "./jobs/rewrite-passages.ts";
import { HostCredentials } from "./publish/credentials.ts";
import { fleetRequests } from "./publish/host-sink.ts";
import { gitHeaders, openSinks } from "./publish/sinks.ts";
import { openQueue, type Queue, type QueueOptions } from "./queue/queue.ts";
import { type Log, noLog } from "./serve/log.ts";
import { createMetrics, type Metrics } from "./serve/metrics.ts";
import { isTelemetryRequested, noTelemetry, openTelemetry, type Telemetry } from "./serve/telemetry.ts";
import type { Database } from "./store/database.ts";
import { migrate } from "./store/schema.ts";

/** The open resources of a fleet process. */
export type Fleet = JobDeps &
  Closable & {
    readonly database: Database;
    readonly queue: Queue;
    readonly home: Home;
    readonly log: Log;
    readonly metrics: Metrics;
    /** How long a job keeps its repository without a heartbeat. */
    readonly leaseSeconds: number;
  };

export type FleetOptions = QueueOptions & {
  readonly home: Home;
  /** The URL of the database server. Without it, the database is embedded, for one process. */
  readonly url?: string | undefined;
  readonly environment?: Environment;
  readonly tiers?: readonly Tier[];
  /** The model for passages that no rule can fix, and the most that one job may spend. */
  readonly rewrite?: Pick<RewriteOptions, "model" | "maxUsd"> | undefined;
  /** The folder of the directory sink. */
  readonly patches?: string | undefined;
  readonly log?: Log;
  /** The limits of one check. */
  readonly checkLimits?: Partial<CheckLimits> | undefined;
  /** Whether to report to OpenTelemetry. Default: if the environment requests it. */
  readonly telemetry?: boolean | undefined;
  /** Called before a slow step, with its description. */
  readonly progress?: (text: string) => void;
};

/** Opens the fleet and migrates its tables. */
export async function openFleet(options: FleetOptions): Promise<Outcome<Fleet>> {
  const { home, log = noLog, environment = process.env, tiers = ["certain"], heartbeat = 30 } = options;
  const known = readKnownHosts(environment);
  if (!known.ok) return known;
  const hosts = new HostCredentials(known.value, fleetRequests);
  const telemetry = await openTelemetryFor(options, log, environment);
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  try {
    await migrate(database);
    const queue = await openQueue(database, {
      ...options,
      onError: (error) => log("queue", { why: error.message }),
    });
    const checks = new CheckProcesses(options.checkLimits);
    return accept({
      checks,
      database,
      query: database.query,
      transaction: database.transaction,
      queue,
      home,
      hosts,
      log,
      metrics: createMetrics(telemetry),
      span: telemetry.span,
      leaseSeconds: heartbeat * 2,
      tiers,
      ...(options.rewrite === undefined ? {} : { rewrite: { ...options.rewrite, environment } }),
      mirrors: openMirrors(await home.folder("mirrors"), {
        header: gitHeaders(hosts),
        kindOf: (host) => hosts.kindOf(host),
      }),
      sinks: openSinks(options.patches ?? join(home.path, "patches"), hosts),
      ...closable(async () => {
        checks.close();
        await queue.close();
        await database.close();
        await telemetry.flush();
      }),
    });
  } catch (error) {
    await database.close().catch(() => {});
    const { code, message } = error as { code?: string; message: string };
    if (!unprepared.has(code ?? "")) throw error;
    return refuse({ code: "unavailable", detail: `the tables of the fleet cannot be prepared: ${message}` });
  }
}

/** What the owner of the database can repair: a right that is missing, or an extension. */
const unprepared: ReadonlySet<string> = new Set(["42501", "58P01", "0A000"]);

/** The forms of an address that the client takes: a URL, and the folder of a socket. */
const databaseUrl = /^(postgres(ql)?|socket):|^\//;

/** Warn only if telemetry was requested explicitly. */
async function openTelemetryFor(
  { telemetry }: FleetOptions,
  log: Log,
  environment: Environment,
): Promise<Telemetry> {
  if (!(telemetry ?? isTelemetryRequested(environment))) return noTelemetry;
  const opened = await openTelemetry();
  if (opened === null && telemetry) log("no-telemetry", { why: "@opentelemetry/api is not installed" });
  return opened ?? noTelemetry;
}

async function openDatabase({ url, home, progress = () => {} }: FleetOptions): Promise<Outcome<Database>> {
  try {
    if (url !== undefined && url !== "") {
      if (!databaseUrl.test(url))
        return refuse({
          code: "unavailable",
          detail: "DATABASE_URL is no address of a PostgreSQL server, such as postgres://user@host/database",
        });
      const { openPostgres } = await import("./store/postgres.ts");
      const database = await openPostgres(url);
      await database.query("SELECT 1");
      return accept(database);
    }
    const lock = await home.lock("database");
    if (!lock.ok)
      return refuse({
        code: "unavailable",
        detail:
          "the embedded database is open in another process, and serves one; a server named by DATABASE_URL serves many",
      });
    const isNew = !(await isThere(`${home.path}/database/PG_VERSION`));
    progress(`opening the embedded database${isNew ? "; the first time takes some ten seconds" : ""}`);
    const { openEmbedded } = await import("./store/embedded.ts");
    const database = await openEmbedded(await home.folder("database"));
    const close = async (): Promise<void> => {
      await database.close();
      await lock.value.release("");
    };
    return accept({ ...database, close });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return refuse({ code: "unavailable", detail: `the database cannot be reached: ${message || code}` });
  }
}
