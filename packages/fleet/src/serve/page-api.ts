import { hosts } from "suture/service";
import type { Fleet } from "../fleet.ts";
import { listActions } from "../people/actions.ts";
import { maySee, type Viewer } from "../people/viewer.ts";
import { causeOf } from "../publish/parts.ts";
import { countWaiting } from "../rollout/preview.ts";
import { readRolloutPage } from "../rollout/rollout.ts";
import { lastPassages, listRuns, readRun, reasonsOf, searchReasons } from "../store/runs.ts";
import type { OverviewCache } from "./overview-cache.ts";
import {
  isSortKey,
  listMatching,
  listOrganisations,
  type RepositoryRow,
  readDetails,
  readListed,
} from "./repository-list.ts";

/** Everything that the page reads. A viewer gets the organisations that it may see, and null for the rest. */
export class PageApi {
  readonly #fleet: Fleet;
  readonly #overviews: OverviewCache;

  constructor(fleet: Fleet, overviews: OverviewCache) {
    this.#fleet = fleet;
    this.#overviews = overviews;
  }

  async read(viewer: Viewer, address: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(address, "http://fleet");
    const { query } = this.#fleet;
    if (pathname === "/api/me") return viewer;
    if (pathname === "/api/overview") return this.#overviews.read(viewer.sees);
    if (pathname === "/api/preview") return this.#preview(viewer, searchParams);
    if (pathname === "/api/repositories") return this.#list(viewer, searchParams);
    if (pathname === "/api/organisations") return listOrganisations(query, viewer.sees);
    if (pathname === "/api/actions")
      return listActions(query, { text: searchParams.get("search") ?? "", organisations: viewer.sees });
    const [, kind = "", id = "", part] =
      /^\/api\/([a-z]+)\/([^/]{1,500})(?:\/([a-z]+))?$/.exec(pathname) ?? [];
    if (kind === "repositories" && /^\d{1,15}$/.test(id)) return this.#repository(viewer, Number(id), part);
    if (kind === "runs" && /^[\w-]{1,100}$/.test(id) && part === undefined) return this.#run(viewer, id);
    if (kind !== "search" || part !== undefined) return null;
    return searchReasons(query, decodePart(id), { organisations: viewer.sees });
  }

  async #list(viewer: Viewer, given: URLSearchParams): Promise<unknown> {
    const text = (name: string): string => (given.get(name) ?? "").slice(0, 200);
    const sort = text("sort");
    const found = await listMatching(this.#fleet.query, {
      search: text("search"),
      state: text("state"),
      organisation: text("organisation"),
      sort: isSortKey(sort) ? sort : "name",
      isDescending: text("order") === "down",
      offset: Math.max(0, Math.trunc(Number(text("offset"))) || 0),
      organisations: viewer.sees,
    });
    return { ...found, repositories: found.repositories.map((each) => this.#withLinks(each)) };
  }

  async #preview(viewer: Viewer, given: URLSearchParams): Promise<unknown> {
    const organisation = given.get("organisation") ?? "";
    const { query } = this.#fleet;
    const organisations = viewer.sees;
    const page = await readRolloutPage(
      query,
      { scope: organisation === "" ? "fleet" : { organisation }, cause: given.get("cause") || undefined },
      { after: Math.trunc(Number(given.get("after"))) || 0, organisations },
    );
    const repositories = page.repositories.map((each) => ({
      ...each,
      ...this.#linksOf(each, each.commit),
      findings: each.findings.map((finding) => ({ ...finding, cause: causeOf(finding) })),
    }));
    return { waiting: await countWaiting(query, organisations), repositories, next: page.next };
  }

  async #repository(viewer: Viewer, id: number, part: string | undefined): Promise<unknown> {
    const found = await readListed(this.#fleet.query, id);
    if (found === null || !maySee(viewer, found.organisation)) return null;
    if (part === "passages") return found.drift > 0 ? lastPassages(this.#fleet.query, id) : [];
    if (part === "runs") return listRuns(this.#fleet.query, { repository: id, most: 100 });
    if (part !== undefined) return null;
    return { ...this.#withLinks(found), ...(await readDetails(this.#fleet.query, id)) };
  }

  async #run(viewer: Viewer, id: string): Promise<unknown> {
    const { query } = this.#fleet;
    const found = await readRun(query, id);
    if (found === null || !maySee(viewer, found.organisation)) return null;
    const links = this.#linksOf(found, found.commit);
    return { ...found, ...links, reasons: await reasonsOf(query, id) };
  }

  #withLinks(repository: RepositoryRow) {
    return { ...repository, ...this.#linksOf(repository, repository.checked) };
  }

  /** The pages of a repository and of a commit on their host, where the host is known. */
  #linksOf({ host, organisation, name }: HostedName, commit: string | null) {
    const kind = this.#fleet.hosts.kindOf(host);
    if (kind === null) return { page: null, commitPage: null };
    const page = `https://${host}/${[...organisation.split("/"), name].map(encodeURIComponent).join("/")}`;
    return { page, commitPage: commit && hosts[kind].commitPage(page, commit) };
  }
}

type HostedName = { readonly host: string; readonly organisation: string; readonly name: string };

/** A part of an address; as it is where its escapes are broken. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
