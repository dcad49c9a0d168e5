import {
  builtPages,
  type Call,
  createPrivateFile,
  decline,
  exit,
  type HostKind,
  hostKinds,
  hosts,
  isSet,
  numberOf,
  type Options,
  readAssets,
  optionText as textOf,
  untilStopped,
} from "suture/service";
import type { Fleet, FleetOptions } from "../fleet.ts";
import type { OidcOptions } from "../people/oidc.ts";
import type { JobSelection } from "../queue/queue.ts";
import { nightly, queueWaiting, startScheduler } from "../queue/scheduler.ts";
import { startWorker, type Worker } from "../queue/worker.ts";
import { secretsOf } from "../secrets.ts";
import { recordLevels } from "../serve/levels.ts";
import { openLog } from "../serve/log.ts";
import { type FleetServer, serveFleet } from "../serve/server.ts";
import { countStates, listRepositories, type Repository } from "../store/repositories.ts";
import { fleetMessages } from "../wording/messages.ts";
import { withFleet } from "./with-fleet.ts";

/** `fleet run`: the scheduler, webhooks, the page, and workers unless `--no-workers` is given. */
export function serve(call: Call): Promise<number> {
  return withFleet(
    call,
    (fleet) => (isSet(call.options, "once") ? runOnce(call, fleet) : keepRunning(call, fleet)),
    fleetOptions(call),
  );
}

/** `fleet worker`: takes jobs until it is stopped. */
export function work(call: Call): Promise<number> {
  return withFleet(
    call,
    async (fleet) => {
      const worker = startWorker(fleet, workerOptions(call));
      // The server may be down, so every worker also looks for jobs whose worker has died.
      const upkeep = setInterval(
        () => void fleet.queue.supervise().catch(() => {}),
        45_000 + Math.random() * 30_000,
      );
      using _ = evictClones(fleet, call.options);
      fleet.log("worker-started", { worker: worker.id });
      await untilStopped();
      fleet.log("worker-stopping", { worker: worker.id });
      clearInterval(upkeep);
      await worker.stop();
      fleet.log("worker-ended", { worker: worker.id, roundTrips: fleet.database.roundTrips(), ...usage() });
      return exit.done;
    },
    fleetOptions(call),
  );
}

function usage() {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, memory: process.memoryUsage.rss() };
}

async function keepRunning(call: Call, fleet: Fleet): Promise<number> {
  const { options, terminal } = call;
  const assets = readAssets(builtPages(import.meta.url));
  const served = await serveFleet(fleet, {
    port: numberOf(options, "port") ?? 7390,
    listen: textOf(options, "listen"),
    hosts: textOf(options, "allow-host")?.split(",").filter(Boolean) ?? [],
    secrets: webhookSecrets(),
    assets: assets.ok ? assets.value : undefined,
    token: process.env.SUTURE_FLEET_TOKEN || undefined,
    oidc: oidcOptions(process.env),
    publicUrl: process.env.SUTURE_FLEET_URL?.replace(/\/+$/, "") || undefined,
  });
  if (!served.ok) return decline(terminal, "fleet", served.refusal);
  // Whatever fails from here on, the server is closed: a process that cannot work must end, so that it is restarted.
  await using server = served.value;
  using file = await announce(call, fleet, server);
  const scheduler = startScheduler(fleet, { every: numberOf(options, "every") ?? 86_400 });
  using _ = evictClones(fleet, options);
  const worker: Worker | null = isSet(options, "no-workers") ? null : startWorker(fleet, workerOptions(call));
  await untilStopped();
  fleet.log("stopping", { tokenFile: file.path });
  await server.close();
  await scheduler.stop();
  await worker?.stop();
  return exit.done;
}

type TokenFile = Disposable & { readonly path: string | null };

/** Says where the page is. A token that was made for this start is written to a private file below the fleet's home. */
async function announce({ terminal }: Call, fleet: Fleet, server: FleetServer): Promise<TokenFile> {
  const { url, port, token } = server;
  const page = url.split("#", 1).join();
  if (process.env.SUTURE_FLEET_TOKEN) {
    terminal.remark(fleetMessages.servingWithOwnToken(page));
    return { path: null, [Symbol.dispose]: () => {} };
  }
  const file = createPrivateFile(`${await fleet.home.folder("tokens")}/${port}.token`, `${token}\n`);
  terminal.remark(
    process.stderr.isTTY ? fleetMessages.serving(url) : fleetMessages.servingWithToken(page, file.path),
  );
  return { path: file.path, [Symbol.dispose]: () => file.remove() };
}

/** `fleet run --once`: every repository once, for cron, for CI, and to try it out. */
async function runOnce(call: Call, fleet: Fleet): Promise<number> {
  const { terminal } = call;
  let last: Repository | undefined;
  do {
    const page = await listRepositories(fleet.query, last?.id ?? 0);
    if (page.length > 0) await fleet.queue.add(page.map(nightly));
    last = page.at(-1);
  } while (last);
  await queueWaiting(fleet);
  const worker = startWorker(fleet, { ...workerOptions(call), untilEmpty: true });
  // An earlier run may have been killed: its jobs are taken back when their heartbeat is over.
  const upkeep = setInterval(() => void fleet.queue.supervise().catch(() => {}), onceUpkeep);
  const stop = (): void => void worker.stop();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  await worker.ended;
  clearInterval(upkeep);
  await recordLevels(fleet.query);
  const states = await countStates(fleet.query);
  const { dead, waiting, deferred } = await fleet.queue.depth();
  const left = waiting + deferred;
  if (terminal.json)
    terminal.printJson({ success: dead === 0 && left === 0, states, dead, waiting, deferred });
  else terminal.print(fleetMessages.states(states));
  if (dead > 0) terminal.remark(fleetMessages.failedRepositories(dead));
  if (left > 0) terminal.remark(fleetMessages.leftForLater(left));
  const failing = (states.failing ?? 0) + (states.quarantined ?? 0) + (states.unknown ?? 0);
  if (dead > 0 || left > 0 || failing > 0) return exit.failed;
  return (states.drifted ?? 0) + (states.open ?? 0) > 0 ? exit.refused : exit.done;
}

const evictionInterval = 600_000;

/** Keeps the clones below the size that `--clones` names, for as long as the process runs. */
function evictClones({ mirrors, log }: Fleet, options: Options): Disposable {
  const gigabytes = numberOf(options, "clones");
  if (gigabytes === undefined) return { [Symbol.dispose]: () => {} };
  const evict = (): void =>
    void mirrors.evict(gigabytes * 1e9).then(
      (freed) => freed > 0 && log("clones-deleted", { bytes: freed }),
      (error) => log("clones", { why: String(error) }),
    );
  const timer = setInterval(evict, evictionInterval);
  evict();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Milliseconds between looks for jobs whose worker has died. */
const onceUpkeep = 3000;

function fleetOptions({ options, terminal }: Call): Partial<FleetOptions> {
  const write = (line: string): void => {
    if (!terminal.quiet) process.stderr.write(line);
  };
  return {
    tiers: isSet(options, "likely") ? ["certain", "likely"] : ["certain"],
    patches: textOf(options, "patches"),
    heartbeat: heartbeatOf(options),
    checkLimits: limitsOf(options),
    rewrite: rewriteOptions(options),
    telemetry: isSet(options, "otel") || undefined,
    log: openLog(write, secretsOf(process.env)),
  };
}

function workerOptions({ options }: Call) {
  return {
    slots: Math.max(1, numberOf(options, "slots") ?? 2),
    part: (textOf(options, "part") ?? "all") as JobSelection,
    heartbeat: heartbeatOf(options),
  };
}

function rewriteOptions(options: Options): FleetOptions["rewrite"] {
  const model = textOf(options, "model");
  const maxUsd = Number(textOf(options, "max-cost") ?? 0.5);
  return model === undefined || !(maxUsd > 0) ? undefined : { model, maxUsd };
}

function limitsOf(options: Options): FleetOptions["checkLimits"] {
  const memory = numberOf(options, "check-memory");
  const seconds = numberOf(options, "check-seconds");
  return {
    ...(memory === undefined ? {} : { memory: Math.max(64, memory) }),
    ...(seconds === undefined ? {} : { seconds: Math.max(1, seconds) }),
  };
}

function heartbeatOf(options: Options): number {
  return Math.max(10, numberOf(options, "heartbeat") ?? 30);
}

/** How people sign in; undefined if the environment names no provider. */
function oidcOptions(environment: NodeJS.ProcessEnv): OidcOptions | undefined {
  const issuer = environment.SUTURE_OIDC_ISSUER;
  const clientId = environment.SUTURE_OIDC_CLIENT_ID;
  const clientSecret = environment.SUTURE_OIDC_CLIENT_SECRET;
  if (!issuer || !clientId || !clientSecret) return undefined;
  return { issuer, clientId, clientSecret, groupsClaim: environment.SUTURE_OIDC_GROUPS_CLAIM || "groups" };
}

/** The webhook secrets that the environment has. */
function webhookSecrets(): Partial<Record<HostKind, string>> {
  const secrets = hostKinds.map((kind) => [kind, process.env[hosts[kind].variables.webhookSecret]] as const);
  return Object.fromEntries(secrets.filter(([, secret]) => secret));
}
