import type { CiEvent, CiSystem, Environment, UntrustedRun } from "../hosts/host.ts";
import { hostKinds, hosts } from "../hosts/registry.ts";
import { type Outcome, refuse } from "../text/model/outcome.ts";

/** Reads the event of the CI that this process runs in. */
export function readCiEvent(environment: Environment, payload: unknown): Outcome<CiEvent> {
  return findCi(environment)?.readEvent(environment, payload) ?? noCi();
}

/** Reads the run behind an artifact. Only some hosts can start a trusted job after an untrusted one. */
export function readUntrustedRun(environment: Environment, payload: unknown): Outcome<UntrustedRun> {
  const ci = findCi(environment);
  if (ci === undefined) return noCi();
  return (
    ci.readUntrustedRun?.(environment, payload) ??
    refuse({ code: "malformed", what: `${ci.name} has no trusted job that publishes an artifact` })
  );
}

/** The CI that this process runs in. */
export function findCi(environment: Environment): CiSystem | undefined {
  return Object.values(hosts).find(({ ci }) => ci.isRunning(environment))?.ci;
}

function noCi(): Outcome<never> {
  const names = hostKinds.map((kind) => hosts[kind].ci.name);
  return refuse({
    code: "malformed",
    what: `neither ${names.join(" nor ")} has set its variables`,
    hint: "On another host, use `suture check --base REV`.",
  });
}
