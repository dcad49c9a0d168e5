import type { Fleet, FleetOptions } from "../../fleet/fleet.ts";
import type { Part } from "../../fleet/queue/queue.ts";
import { nightly, startScheduler } from "../../fleet/queue/scheduler.ts";
import { startWorker, type Worker } from "../../fleet/queue/worker.ts";
import { openLog, secretsOf } from "../../fleet/serve/log.ts";
import { serveFleet } from "../../fleet/serve/server.ts";
import { countStates, listRepositories, type Repository } from "../../fleet/store/repositories.ts";
import { type Call, exit, isSet, numberOf, type Options, textOf } from "../command.ts";
import { decline } from "../with-project.ts";
import { withFleet } from "./with-fleet.ts";

/** `fleet run`: scheduler, webhooks, page, and workers unless somebody else has them. */
export function serve(call: Call): Promise<number> {
  return withFleet(
    call,
    (fleet) => (isSet(call.options, "once") ? runOnce(call, fleet) : keepRunning(call, fleet)),
    working(call),
  );
}

/** `fleet worker`: takes jobs until it is stopped. */
export function work(call: Call): Promise<number> {
  return withFleet(
    call,
    async (fleet) => {
      const worker = startWorker(fleet, workerOptions(call));
      // Whoever supervises may be gone; from time to time every worker looks after jobs whose worker has died.
      const upkeep = setInterval(
        () => void fleet.queue.supervise().catch(() => {}),
        45_000 + Math.random() * 30_000,
      );
      fleet.log("worker-started", { worker: worker.id });
      await untilStopped();
      fleet.log("worker-stopping", { worker: worker.id });
      clearInterval(upkeep);
      await worker.stop();
      fleet.log("worker-ended", { worker: worker.id, roundTrips: fleet.database.roundTrips(), ...usage() });
      return exit.done;
    },
    working(call),
  );
}

function usage() {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, memory: process.memoryUsage.rss() };
}

async function keepRunning(call: Call, fleet: Fleet): Promise<number> {
  const { options, terminal } = call;
  const { readAssets } = await import("../../http/assets.ts");
  const assets = readAssets();
  const served = await serveFleet(fleet, {
    port: numberOf(options, "port") ?? 7390,
    listen: textOf(options, "listen"),
    hosts: textOf(options, "allow-host")?.split(",").filter(Boolean) ?? [],
    secrets: secretsOfHooks(),
    assets: assets.ok ? assets.value : undefined,
    token: process.env.SUTURE_FLEET_TOKEN || undefined,
  });
  if (!served.ok) return decline(terminal, "fleet", served.refusal);
  const { url, port, token } = served.value;
  const { createPrivateFile, privatePath } = await import("../../workspace/files/private-file.ts");
  const file = createPrivateFile(privatePath(`fleet-${port}.token`), `${token}\n`);
  terminal.remark(
    process.stderr.isTTY
      ? `The fleet is at ${url}`
      : `The fleet is at ${url.split("#")[0]}; the token is in ${file.path}`,
  );
  const scheduler = startScheduler(fleet, { every: numberOf(options, "every") ?? 86_400 });
  const worker: Worker | null = isSet(options, "no-workers") ? null : startWorker(fleet, workerOptions(call));
  await untilStopped();
  fleet.log("stopping");
  file.remove();
  await served.value.close();
  await scheduler.stop();
  await worker?.stop();
  return exit.done;
}

/** Every repository once; for cron, for CI, and for trying out. */
async function runOnce(call: Call, fleet: Fleet): Promise<number> {
  const { terminal } = call;
  let last: Repository | undefined;
  do {
    const page = await listRepositories(fleet.ask, last?.id ?? 0);
    if (page.length > 0) await fleet.queue.add(page.map(nightly));
    last = page.at(-1);
  } while (last);
  const worker = startWorker(fleet, { ...workerOptions(call), untilEmpty: true });
  const stop = (): void => void worker.stop();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  await worker.ended;
  const states = await countStates(fleet.ask);
  const { dead, waiting } = await fleet.queue.depth();
  if (terminal.json) terminal.printJson({ success: dead === 0 && waiting === 0, states, dead, waiting });
  else terminal.print(printStates(states));
  if (dead > 0) terminal.remark(`${dead} could not be worked on; \`suture fleet status\` says why.`);
  if (dead > 0 || waiting > 0 || (states.unknown ?? 0) > 0) return exit.failed;
  return (states.drifted ?? 0) + (states.open ?? 0) > 0 ? exit.refused : exit.done;
}

export function printStates(states: Readonly<Record<string, number>>): string {
  const all = Object.entries(states);
  return all.length === 0
    ? "The fleet is empty."
    : all.map(([state, count]) => `${state} ${count}`).join(", ");
}

function working({ options, terminal }: Call): Partial<FleetOptions> {
  const write = (line: string): void => {
    if (!terminal.quiet) process.stderr.write(line);
  };
  return {
    tiers: isSet(options, "likely") ? ["certain", "likely"] : ["certain"],
    patches: textOf(options, "patches"),
    heartbeat: heartbeatOf(options),
    wording: wordingOf(options),
    telemetry: isSet(options, "otel") || undefined,
    log: openLog(write, secretsOf(process.env)),
  };
}

function workerOptions({ options }: Call) {
  return {
    slots: Math.max(1, numberOf(options, "slots") ?? 2),
    part: (textOf(options, "part") ?? "all") as Part,
    heartbeat: heartbeatOf(options),
  };
}

function wordingOf(options: Options): FleetOptions["wording"] {
  const model = textOf(options, "model");
  const maxUsd = Number(textOf(options, "max-cost") ?? 0.5);
  return model === undefined || !(maxUsd > 0) ? undefined : { model, maxUsd };
}

function heartbeatOf(options: Options): number {
  return Math.max(10, numberOf(options, "heartbeat") ?? 30);
}

function secretsOfHooks() {
  const { SUTURE_GITHUB_WEBHOOK_SECRET: github, SUTURE_GITLAB_WEBHOOK_SECRET: gitlab } = process.env;
  return { ...(github ? { github } : {}), ...(gitlab ? { gitlab } : {}) };
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
