import { once } from "../../syntax/keep-last.ts";
import {
  type Demand,
  inheritsDemand,
  mayDemand,
  readDemands,
} from "../../syntax/manifests/demands/demands.ts";
import { compareVersions } from "../../syntax/manifests/demands/floor.ts";
import { fileKind } from "../change/file-kind.ts";

/** A demand and the manifest that makes it. */
export type Demanded = Demand & { readonly path: string };

/** What a page's package asks for of a product, or, where no package is the page's own, what the whole project does. */
export type Demands = { readonly demands: readonly Demanded[]; readonly from: "package" | "project" };

export type DemandLookup = (sought: {
  readonly product: string;
  readonly as: Demand["as"];
  readonly page: string;
}) => Promise<Demands | null>;

type ReadManifest = { readonly path: string; readonly text: string; readonly demands: readonly Demanded[] };

/** Manifests that are read for a page without a package of its own, at most. */
const MOST_MANIFESTS = 200;

/** A folder of a documentation site: its manifest is the site's, its pages are about the project. */
const SITE = /(?:^|\/)(?:docs?|documentation|website|site|www|book)(?:\/|$)/i;
/** A folder of projects that are no part of this one. */
const FOREIGN = /(?:^|\/)(?:examples?|samples?|demos?|templates?|starters?|playgrounds?)$/i;

export function createDemands({
  paths,
  read,
}: {
  readonly paths: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
}): DemandLookup {
  const manifests = new Map<string, Promise<ReadManifest>>();
  const open = (path: string): Promise<ReadManifest> => {
    const known = manifests.get(path) ?? readManifest(path, read);
    manifests.set(path, known);
    return known;
  };
  const folders = once(() => groupByFolder(paths));
  return async ({ product, as, page }) => {
    const ofProduct = (all: readonly ReadManifest[]): Demanded[] =>
      all.flatMap(({ demands }) => demands.filter((one) => one.product === product && one.as === as));
    for (let folder = parentOf(page); ; folder = parentOf(folder)) {
      const isSite = folder !== "" && SITE.test(folder);
      const own = isSite ? [] : await openAll(folders().get(folder) ?? [], open);
      const demands = ofProduct(own);
      if (demands.length > 0) return { demands, from: "package" };
      if (folder === "") break;
      if (FOREIGN.test(folder) || (as === "least" && own.some((one) => isSilent(one, product)))) return null;
    }
    const all = [...folders().values()].flat().filter((path) => isOffered(path) && mayName(path, product));
    if (all.length > MOST_MANIFESTS) return null;
    const demands = ofProduct(await openAll(all, open));
    const [first] = demands;
    const agree = demands.every(({ version }) => compareVersions(version, first!.version) === 0);
    return first && agree ? { demands, from: "project" } : null;
  };
}

async function readManifest(
  path: string,
  read: (path: string) => Promise<string | null>,
): Promise<ReadManifest> {
  const text = (await read(path)) ?? "";
  return { path, text, demands: readDemands(path, text).map((demand) => ({ ...demand, path })) };
}

function openAll(
  paths: readonly string[],
  open: (path: string) => Promise<ReadManifest>,
): Promise<ReadManifest[]> {
  return Promise.all(paths.map(open));
}

/** A package of the product's kind that asks for no version of it. */
function isSilent({ path, text }: ReadManifest, product: string): boolean {
  return mayName(path, product) && !inheritsDemand(product, text);
}

const NAMED_BY: ReadonlyMap<string, RegExp> = new Map([
  ["node", /(?:^|\/)package\.json$/],
  ["npm", /(?:^|\/)package\.json$/],
  ["python", /(?:^|\/)(?:pyproject\.toml|setup\.py|setup\.cfg)$/],
  ["go", /(?:^|\/)go\.mod$/],
  ["rust", /(?:^|\/)Cargo\.toml$/],
  ["ruby", /\.gemspec$|(?:^|\/)(?:Gemfile|gems\.rb)$/],
  ["php", /(?:^|\/)composer\.json$/],
]);

function mayName(path: string, product: string): boolean {
  return NAMED_BY.get(product)?.test(path) ?? true;
}

const ASIDE: ReadonlySet<string> = new Set(["test", "example", "generated", "automation"]);

function isOffered(path: string): boolean {
  return !ASIDE.has(fileKind(path));
}

function groupByFolder(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(paths.filter(mayDemand), parentOf);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
