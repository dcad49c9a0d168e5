import { findCi } from "../../../ci/ci-event.ts";
import { tokenFrom } from "../../../hosts/access.ts";
import type { Environment, HostedRepository } from "../../../hosts/host.ts";
import { type HostKind, hosts } from "../../../hosts/registry.ts";
import { accept, type Outcome, refuse } from "../../../text/model/outcome.ts";
import { readInput } from "../../terminal/input.ts";

export type RepositoryAddress = {
  readonly kind: HostKind;
  readonly repository: string;
  readonly apiUrl: string | undefined;
};

/** Opens a repository on its host with the token of the job. */
export function openRepository({ kind, repository, apiUrl }: RepositoryAddress): Outcome<HostedRepository> {
  const { variables, open } = hosts[kind];
  const token = tokenFrom(process.env, kind);
  if (token === undefined)
    return refuse({
      code: "unavailable",
      detail: `${variables.tokens[0]} is not set, so the code host cannot be asked`,
    });
  const host = open({ token, ...(apiUrl ? { baseUrl: apiUrl } : {}) });
  return host.ok ? accept(host.value.at(repository)) : host;
}

/** The event payload that the host wrote to a file; undefined if it writes none. */
export async function readPayload(environment: Environment): Promise<Outcome<unknown>> {
  const path = environment[findCi(environment)?.files.event ?? ""];
  if (!path) return accept(undefined);
  const text = await readInput(path);
  if (!text.ok) return text;
  try {
    return accept(JSON.parse(text.value));
  } catch {
    return refuse({ code: "malformed", what: "the event file is not JSON" });
  }
}
