import type { Fleet } from "../../packages/fleet/src/fleet.ts";
import { tokenHolder } from "../../packages/fleet/src/people/viewer.ts";
import { recordLevels } from "../../packages/fleet/src/serve/levels.ts";
import { readGauges, readOverview } from "../../packages/fleet/src/serve/overview.ts";
import { OverviewCache } from "../../packages/fleet/src/serve/overview-cache.ts";
import { PageApi } from "../../packages/fleet/src/serve/page-api.ts";
import { figure, printTable } from "../report.ts";
import { cpuOfServer, openFleetAt, type Site } from "./site.ts";

export type SizeReport = {
  readonly repositories: number;
  readonly runs: number;
  readonly reasons: number;
  readonly megabytes: number;
  readonly answers: readonly SizedAnswer[];
};

/** What one question takes: seconds of CPU of the database, and seconds until the answer. */
export type SizedAnswer = { readonly question: string; readonly database: number; readonly wall: number };

/** The questions of the page and of `fleet status` on a large fleet: every repository was checked on 30 nights. */
export async function measureSize(site: Site, repositories: number): Promise<SizeReport> {
  const { fleet } = await openFleetAt(site, "size");
  const nights = 30;
  await fill(fleet, repositories, nights);
  const [{ size = 0 } = {}] = await fleet.query<{ size: number }>(
    "SELECT pg_database_size(current_database())::float AS size",
  );
  const api = new PageApi(fleet, new OverviewCache(fleet));
  const ask = (address: string) => () => api.read(tokenHolder, address);
  const questions: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["the first overview, which sums up 29 days", () => readOverview(fleet)],
    ["overview", () => readOverview(fleet)],
    ["status", () => readOverview(fleet, { most: 20 })],
    ["overview of one organisation", () => readOverview(fleet, { organisations: ["org-7"] })],
    ["metrics", () => readGauges(fleet)],
    ["levels of the day", () => recordLevels(fleet.query)],
    ["list, first page", ask("/api/repositories")],
    ["list, by false passages", ask("/api/repositories?sort=passages&order=down")],
    ["list, by time, page 1,000", ask("/api/repositories?sort=checked&order=down&offset=50000")],
    ["list, search of a name", ask("/api/repositories?search=library-77")],
    ["list, failing", ask("/api/repositories?state=failing")],
    ["organisations", ask("/api/organisations")],
    ["one repository's runs", ask("/api/repositories/5000/runs")],
    ["search, a word of every reason", ask("/api/search/retries")],
    ["search, a rare word", ask("/api/search/fetchPage4711")],
    ["search, a word that no reason has", ask("/api/search/xylophone")],
    ["search, a repository", ask("/api/search/org-7%2Flibrary-4707")],
  ];
  const answers: SizedAnswer[] = [];
  for (const [question, work] of questions) {
    const times = question.startsWith("the first") ? 1 : 3;
    answers.push({ question, ...(await measure(site, work, times)) });
  }
  await fleet.close();
  return {
    repositories,
    runs: repositories * nights,
    reasons: Math.floor((repositories * nights) / 3),
    megabytes: size / 1e6,
    answers,
  };
}

/** The mean of several rounds. Other processes of this machine do not count as time of the database. */
async function measure(site: Site, work: () => Promise<unknown>, times: number) {
  const pid = site.cluster.pid();
  const before = cpuOfServer(pid);
  const began = performance.now();
  for (let i = 0; i < times; i++) await work();
  const wall = (performance.now() - began) / 1000 / times;
  return { database: (cpuOfServer(pid) - before) / times, wall };
}

/** Rows as a fleet leaves them, written by the database itself. */
async function fill({ query }: Fleet, repositories: number, nights: number): Promise<void> {
  await query("SET synchronous_commit = off").catch(() => {});
  await query(`INSERT INTO suture_fleet.repository (host, organisation, name, url, state, drift, checked, checked_at, problem)
    SELECT 'github.com', 'org-' || n % 200, 'library-' || n, 'https://github.com/org-' || n % 200 || '/library-' || n || '.git',
      (ARRAY['clean', 'clean', 'clean', 'drifted', 'open'])[n % 5 + 1], CASE WHEN n % 5 > 2 THEN n % 9 ELSE 0 END,
      md5(n::text) || '00000000', now() - n % 86400 * interval '1 second', NULL
    FROM generate_series(1, ${repositories}) n`);
  await query(
    `UPDATE suture_fleet.repository SET state = 'failing', problem = 'fatal: repository not found' WHERE id % 97 = 0`,
  );
  for (let night = nights - 1; night >= 0; night--)
    await query(`INSERT INTO suture_fleet.run (id, repository, kind, cause, base, commit, state, worker, began, ended, findings, fixed, record)
      SELECT 'run-${night}-' || id, id, 'check', 'nightly', md5(id::text), md5('${night}' || id), 'done', 'worker-' || id % 20,
        now() - interval '${night} days', now() - interval '${night} days' - id % 3600 * interval '1 second',
        (id % 3 = 0)::int, 0, '{"findings": []}' FROM suture_fleet.repository`);
  await query(`INSERT INTO suture_fleet.reason (run, repository, path, start_line, end_line, finding, tier, message, edits, evidence, fixed)
    SELECT id, repository, 'docs/guide-' || repository % 50 || '.md', 3, 4, md5(id), 'certain',
      '\`loadPage' || repository || '\` is now \`fetchPage' || repository || '\`; the default of retries is 3.', '[]', '[]', true
    FROM suture_fleet.run WHERE findings = 1`);
  await query("ANALYZE");
}

export function printSize({ repositories, runs, reasons, megabytes, answers }: SizeReport): string {
  const about = `${repositories} repositories, ${runs} runs, ${reasons} reasons, ${Math.round(megabytes)} MB`;
  return printTable(
    [about, "database, CPU seconds", "seconds until the answer"],
    answers.map(({ question, database, wall }) => [question, figure(database), figure(wall)]),
  );
}
