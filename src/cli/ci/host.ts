import type { Environment } from "../../ci/ci-event.ts";
import type { Forge, ForgeKind } from "../../hosts/host.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { readInput } from "../input.ts";

const tokens: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: ["SUTURE_GITHUB_TOKEN", "GITHUB_TOKEN"],
  gitlab: ["SUTURE_GITLAB_TOKEN", "GITLAB_TOKEN"],
};

/** One repository on its host, with the token that the job was given. */
export async function openHost(
  kind: ForgeKind,
  repository: string,
  baseUrl: string | undefined,
): Promise<Outcome<Forge>> {
  const token = tokens[kind]
    .map((name) => process.env[name])
    .find((value) => value !== undefined && value !== "");
  if (token === undefined)
    return refuse({
      code: "unavailable",
      detail: `${tokens[kind][0]} is not set, so the code host cannot be asked`,
    });
  const { openForge } = await import("../../hosts/open-host.ts");
  const host = openForge(kind, { token, ...(baseUrl ? { baseUrl } : {}) });
  return host.ok ? accept(host.value.at(repository)) : host;
}

/** The event as the host wrote it down; undefined where it writes none. */
export async function readEvent(environment: Environment): Promise<Outcome<unknown>> {
  if (!environment.GITHUB_EVENT_PATH) return accept(undefined);
  const text = await readInput(environment.GITHUB_EVENT_PATH);
  if (!text.ok) return text;
  try {
    return accept(JSON.parse(text.value));
  } catch {
    return refuse({ code: "malformed", what: "the event file is not JSON" });
  }
}
