import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { parseAddress } from "../src/clones/address.ts";
import { type Fleet, type FleetOptions, openFleet } from "../src/fleet.ts";
import { openHome } from "../src/home.ts";
import type { NewJob } from "../src/queue/queue.ts";
import { startWorker } from "../src/queue/worker.ts";
import { addRepositories, listRepositories, type Repository } from "../src/store/repositories.ts";
import { startFakeGitHub } from "./fake-github.ts";
import { startFakeGitLab } from "./fake-gitlab.ts";
import { type Generated, generate } from "./generate.ts";

/** What a test changes about the fleet that is opened for it. */
export type OpenDatabase = (folder: string) => Promise<Partial<FleetOptions>>;

type Added = { readonly generated: Generated; readonly repository: Repository; readonly n: number };

/** A fleet on a database, with two code hosts, for the tests of one file. It is empty before each test. */
export class TestFleet {
  readonly folder = mkdtempSync(join(tmpdir(), "suture-fleet-"));
  #fleet: Fleet | undefined;
  #github: Awaited<ReturnType<typeof startFakeGitHub>> | undefined;
  #gitlab: Awaited<ReturnType<typeof startFakeGitLab>> | undefined;
  #serial = 0;
  url: string | undefined;

  constructor(open: OpenDatabase) {
    beforeAll(() => this.#open(open));
    beforeEach(() => this.#empty());
    afterAll(() => this.#close());
  }

  get fleet(): Fleet {
    return present(this.#fleet);
  }

  get github() {
    return present(this.#github);
  }

  get gitlab() {
    return present(this.#gitlab);
  }

  async #open(open: OpenDatabase): Promise<void> {
    const folderOf = (repository: string): string | null => {
      const place = join(this.folder, "repositories", `${repository}.git`);
      return existsSync(place) ? place : null;
    };
    this.#github = await startFakeGitHub(folderOf);
    this.#gitlab = await startFakeGitLab(folderOf);
    const database = await open(this.folder);
    this.url = database.url;
    this.#fleet = await this.openAnother(join(this.folder, "home"), database);
  }

  /** The same fleet on another machine: another folder of clones. */
  async openAnother(home: string, database: Partial<FleetOptions>): Promise<Fleet> {
    const environment = {
      SUTURE_GITHUB_TOKEN: "token-of-the-host",
      SUTURE_GITHUB_API: this.github.url,
      SUTURE_GITLAB_TOKEN: "token-of-the-other-host",
      SUTURE_GITLAB_API: this.gitlab.url,
      SUTURE_HOST_TIMEOUT: "1500",
    };
    const opened = await openFleet({
      home: await openHome(home),
      heartbeat: 10,
      delay: 1,
      environment,
      ...database,
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
    return opened.value;
  }

  async #empty(): Promise<void> {
    this.github.setFaults({});
    await this.fleet.query(`
      DELETE FROM suture_queue.job;
      TRUNCATE suture_fleet.repository, suture_fleet.organisation, suture_fleet.host, suture_fleet.delivery CASCADE;
      UPDATE suture_fleet.desk SET turn = 0, draining = false, settings = NULL`);
  }

  async #close(): Promise<void> {
    await this.#fleet?.close();
    await this.#github?.close();
    await this.#gitlab?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A repository whose last commit made three passages of a page false. */
  async add(organisation: string, sink: string | null = "github"): Promise<Added> {
    const n = ++this.#serial;
    const generated = await generate(join(this.folder, "repositories"), organisation, n);
    return { generated, repository: await this.addFolder(generated.folder, sink), n };
  }

  async addFolder(folder: string, sink: string | null = null): Promise<Repository> {
    const address = parseAddress(folder);
    if (!address.ok) throw new Error("address");
    const [repository] = await addRepositories(this.fleet.query, [address.value], { sink });
    return present(repository);
  }

  /** Checks repositories, and does all that follows. */
  async check(...repositories: readonly Repository[]): Promise<void> {
    await this.fleet.queue.add(repositories.map((one) => jobFor(one)));
    await this.run();
  }

  run(fleet: Fleet = this.fleet): Promise<void> {
    return startWorker(fleet, { untilEmpty: true, interval: 100, heartbeat: 10 }).ended;
  }

  async now({ id }: Repository): Promise<Repository> {
    return present((await listRepositories(this.fleet.query, id - 1, 1))[0]);
  }

  /** What the host has about a repository that is not in git. */
  shelf({ organisation, name }: Repository) {
    return present(this.github.shelves.get(`${organisation}/${name}`));
  }
}

export function jobFor({ id, organisation }: Repository, more: Partial<NewJob> = {}): NewJob {
  return { kind: "check", repository: id, organisation, commit: null, cause: "nightly", ...more };
}

export function present<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error("it should be there");
  return value;
}
