import { tokenFrom } from "../hosts/access.ts";
import type { Environment, HostedRepository } from "../hosts/host.ts";
import { type HostKind, hosts } from "../hosts/registry.ts";
import { defined } from "../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { ciWords } from "../wording/ci.ts";

export type RepositoryAddress = {
  readonly kind: HostKind;
  readonly repository: string;
  readonly apiUrl: string | undefined;
};

/** Opens a repository on its host, with the token of the job unless there is one of its own. */
export function openRepository(
  { kind, repository, apiUrl }: RepositoryAddress,
  environment: Environment,
  ownToken?: string,
): Outcome<HostedRepository> {
  const { variables, open } = hosts[kind];
  const token = ownToken || tokenFrom(environment, kind);
  if (token === undefined)
    return refuse({ code: "unavailable", detail: ciWords.noToken(variables.tokens[0]) });
  const host = open({ token, ...defined({ baseUrl: apiUrl || undefined }) });
  return host.ok ? accept(host.value.at(repository)) : host;
}
