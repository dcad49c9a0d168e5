import type { ForgeKind } from "../../hosts/host.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { here } from "../clones/address.ts";
import type { Repository } from "../store/repositories.ts";
import { openDirectorySink } from "./directory-sink.ts";
import { type ForgeAccess, openForgeHost, openForgeSink } from "./host-sink.ts";
import type { Sink } from "./sink.ts";

/** Names that a repository may give for its sink. */
export const sinkNames = ["directory", "github", "gitlab"] as const;

/** Which sink a repository's edits go to; opened when first asked for, with the token of the environment. */
export type Sinks = (repository: Pick<Repository, "host" | "sink">) => Promise<Outcome<Sink>>;

/** Tokens are read when they are needed, kept in memory and handed to no one but their host. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function openSinks(patches: () => Promise<string>, environment: Environment): Sinks {
  const opened = new Map<string, Promise<Outcome<Sink>>>();
  const open = async (name: string, host: string): Promise<Outcome<Sink>> => {
    if (name === "directory") return accept(openDirectorySink(await patches()));
    const kind = name as ForgeKind;
    const access = accessOf(kind, host, environment);
    if (access === null)
      return refuse({
        code: "unavailable",
        detail: `there is no token for ${host}: set ${tokenNames[kind][0]}`,
      });
    const forge = openForgeHost(kind, access);
    return forge.ok ? accept(openForgeSink(forge.value)) : forge;
  };
  return ({ host, sink }) => {
    const name = sink ?? forgeOf(host) ?? "directory";
    const key = `${name} ${host}`;
    const known = opened.get(key) ?? open(name, host);
    opened.set(key, known);
    return known;
  };
}

/** What a host is, by its name; null for those that are no code host we can write to. */
export function forgeOf(host: string): ForgeKind | null {
  if (host === here) return null;
  if (/(^|\.)gitlab\b/i.test(host)) return "gitlab";
  return /(^|\.)github\b|^ghe\./i.test(host) ? "github" : null;
}

const tokenNames = {
  github: ["SUTURE_GITHUB_TOKEN", "GITHUB_TOKEN"],
  gitlab: ["SUTURE_GITLAB_TOKEN", "GITLAB_TOKEN"],
} as const;

const publicHosts: Readonly<Record<ForgeKind, string>> = { github: "github.com", gitlab: "gitlab.com" };
const apiPaths: Readonly<Record<ForgeKind, string>> = { github: "/api/v3", gitlab: "/api/v4" };

export function accessOf(kind: ForgeKind, host: string, environment: Environment): ForgeAccess | null {
  const token = tokenNames[kind].map((name) => environment[name]).find((value) => value);
  if (!token) return null;
  const said = environment[kind === "github" ? "SUTURE_GITHUB_API" : "SUTURE_GITLAB_API"];
  const own = host === publicHosts[kind] || host === here ? undefined : `https://${host}${apiPaths[kind]}`;
  const timeout = Number(environment.SUTURE_FORGE_TIMEOUT);
  return { token, baseUrl: said ?? own, ...(timeout > 0 ? { timeout } : {}) };
}

/** The header with which git fetches from a host. */
export function credentialsFrom(environment: Environment): (host: string) => string | null {
  return (host) => {
    const kind = forgeOf(host);
    const access = kind && accessOf(kind, host, environment);
    if (!access) return null;
    const user = kind === "github" ? "x-access-token" : "oauth2";
    return `Authorization: Basic ${Buffer.from(`${user}:${access.token}`).toString("base64")}`;
  };
}
