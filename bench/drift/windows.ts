import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { gitDirOf } from "./mirror.ts";

/** A row of commits that landed on the main branch of a repository, and the newest commit that is known. */
export type Window = { readonly repo: string; readonly newest: string; readonly commits: readonly string[] };

/** Repositories that were read by eye over their newest commits, too. */
const READ_AT_HEAD = [
  "expressjs/express",
  "yargs/yargs",
  "sinatra/sinatra",
  "hashicorp/consul-template",
  "tokio-rs/axum",
  "reduxjs/redux-toolkit",
  "helm/helm",
  "fastapi/typer",
  "junit-team/junit5",
  "sveltejs/kit",
  "curl/curl",
];

export type WindowOptions = {
  readonly mirror: string;
  /** The file of windows. */
  readonly file: string;
  readonly repos?: readonly string[] | undefined;
  /** The newest commits of the clones that the file does not name, so many of each, in place of the windows. */
  readonly last?: number | undefined;
  readonly limit?: number | undefined;
};

/** An entry of a file of windows: the commits themselves, or how many there are from the newest one back. */
type Entry = Window | { readonly repo: string; readonly newest: string; readonly count: number };

export function findWindows({ mirror, file, repos, last, limit }: WindowOptions): Window[] {
  const listed = JSON.parse(readFileSync(file, "utf8")) as Entry[];
  const isAsked = (repo: string): boolean => !repos || repos.includes(repo);
  const windows = last
    ? (repos ?? clonesBeside(mirror, listed)).map((repo) =>
        commitsFrom(mirror, { repo, newest: "HEAD", count: last }),
      )
    : listed
        .filter(({ repo }) => isAsked(repo))
        .map((entry) => ("commits" in entry ? entry : commitsFrom(mirror, entry)));
  return windows.map((window) => ({ ...window, commits: window.commits.slice(0, limit) }));
}

function clonesBeside(mirror: string, listed: readonly Entry[]): string[] {
  const known = new Set(listed.map(({ repo }) => repo));
  const clones = readdirSync(mirror, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes("+"))
    .map(({ name }) => name.replace("+", "/"))
    .filter((repo) => !known.has(repo));
  return [...READ_AT_HEAD, ...clones.sort()];
}

/** The first-parent commits from `newest` back, without the first commit of the history. */
function commitsFrom(
  mirror: string,
  { repo, newest, count }: { readonly repo: string; readonly newest: string; readonly count: number },
): Window {
  const log = ["log", "--first-parent", "--format=%H %P", `-${count}`, newest];
  const ran = spawnSync("git", ["--git-dir", gitDirOf(mirror, repo), ...log], { encoding: "utf8" });
  const rows = ran.stdout.trim().split("\n");
  const commits = rows.filter((row) => row.includes(" ")).map((row) => row.split(" ")[0]!);
  if (!commits[0]) throw new Error(`there is no clone of ${repo} in ${mirror}`);
  return { repo, newest: commits[0], commits };
}
