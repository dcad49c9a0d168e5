import { github } from "./github/github.ts";
import { gitlab } from "./gitlab/gitlab.ts";

/** Every code host. In a job that has the CI variables of several hosts, the first one here counts. */
export const hosts = { gitlab, github } as const;

export type HostKind = keyof typeof hosts;

export const hostKinds = (Object.keys(hosts) as HostKind[]).sort();

export function isHostKind(name: string): name is HostKind {
  return Object.hasOwn(hosts, name);
}

/** How each host names a list of repositories, such as `github:ORG`. */
export const ownerForms = hostKinds.map((kind) => `${kind}:${hosts[kind].ownerWord}`);
