import { mayDemand, readDemands } from "../../../syntax/manifests/demands/demands.ts";
import { compareVersions } from "../../../syntax/manifests/demands/floor.ts";
import { defined } from "../../../text/model/defined.ts";
import { boundTo } from "../../binding/bound-by.ts";
import type { ChangeModel } from "../../change/change-model.ts";
import { statementAt } from "../../pages/statements.ts";
import type { Demanded, Demands } from "../../state/demands.ts";
import type { State } from "../../state/state.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import { evidenceAt, evidenceOf, lineOfOffset } from "../evidence.ts";
import { wordsFor } from "./products.ts";
import { AS_OF, readVersions, type VersionClaim } from "./read.ts";

export const version: Kind<"version", VersionClaim> = {
  name: "version",
  docs: "A page states a version of a runtime, a tool or a service that the manifest no longer asks for.",
  mayEdit: true,
  formerly: { versions: "version" },
  read: readVersions,
  touched: findTouched,
  judge,
  evaluate,
};

/** The claims about the products whose version a changed manifest states otherwise. */
async function findTouched({ input, pages }: ChangeModel): Promise<VersionClaim[]> {
  const products = new Set(
    input.files.flatMap(({ path, before, after }) =>
      mayDemand(path) ? changedProducts(path, before ?? "", after ?? "") : [],
    ),
  );
  const words = [...products].flatMap(wordsFor);
  if (words.length === 0) return [];
  const holds = new RegExp(words.map((word) => word.replaceAll(".", "\\.")).join("|"), "i");
  return pages
    .filter(({ text }) => holds.test(text))
    .flatMap((page) => readVersions(page).filter(({ product }) => products.has(product)));
}

function changedProducts(path: string, before: string, after: string): string[] {
  const print = (text: string): Map<string, string> =>
    new Map(
      readDemands(path, text).map(({ product, version: asked, as }) => [
        `${product} ${as} ${asked}`,
        product,
      ]),
    );
  const now = print(after);
  return [...print(before)].flatMap(([key, product]) => (now.has(key) ? [] : [product]));
}

async function judge(claim: VersionClaim, { base, head }: PastStates): Promise<Drift<VersionClaim> | null> {
  if (!base || !(await isAboutProject(claim, base))) return null;
  const was = await base.demand(soughtBy(claim));
  const before = was?.demands.find((demand) => says(claim, demand));
  const is = await head.demand(soughtBy(claim));
  if (!before || !is || is.demands.some((demand) => says(claim, demand))) return null;
  const now = is.demands.find(({ path }) => path === before.path) ?? is.demands[0]!;
  const repair = repairOf(claim, before, now);
  return {
    claim,
    tier: tierOf(claim, is),
    message: { what: "version", old: claim.says, new: repair ?? now.version },
    evidence: [await evidenceOf(await lineOf(before, base), await lineOf(now, head), { base, head })],
    cause: `version:${claim.product}:${now.path}`,
    ...defined({ repair: repair ?? undefined }),
  };
}

async function evaluate(claim: VersionClaim, state: State): Promise<Truth> {
  const found = (await isAboutProject(claim, state)) && (await state.demand(soughtBy(claim)));
  if (!found) return { is: "undecidable", why: "no manifest of the page's package asks for this" };
  const same = found.demands.find((demand) => says(claim, demand));
  const demand = same ?? found.demands[0]!;
  const place = await lineOf(demand, state);
  const to = boundTo([{ name: claim.product, ...place }], "package");
  return same ? { is: "true", ...to } : { is: "false", evidence: [await evidenceAt(place, state)], ...to };
}

/** Whether the sentence is about the project: it says so, or its subject is the name of one of its packages, without their vendor. */
async function isAboutProject({ subject, ...claim }: VersionClaim, state: State): Promise<boolean> {
  if (subject === undefined || state.isOwnModule(subject.toLowerCase())) return true;
  const manifests = (await state.demand(soughtBy(claim)))?.demands.map(({ path }) => path) ?? [];
  const things = (await Promise.all(manifests.map(state.surface))).flat();
  return [...things, ...(await state.things(subject.toLowerCase())).things].some(
    ({ kind, name }) => kind === "package" && name.split(/[/:]/).at(-1) === subject.toLowerCase(),
  );
}

function soughtBy({
  product,
  as,
  page: { path },
}: Pick<VersionClaim, "product" | "as" | "page">): Parameters<State["demand"]>[0] {
  return { product, as, page: path };
}

/** Whether the page writes the demanded version, as far as it is precise: `3.8` is `3.8.1`, `1.74.0` is `1.74`. */
function says({ says: written }: VersionClaim, { version: asked }: Demanded): boolean {
  return compareVersions(written, cut(asked, lengthOf(written))) === 0;
}

/** The new version with as many numbers as the page writes; null where the statement names others it would contradict. */
function repairOf(claim: VersionClaim, before: Demanded, now: Demanded): string | null {
  const { says: written, others } = claim;
  if (others.some((other) => compareVersions(other, now.version) <= 0) || isContradicted(claim, now))
    return null;
  if (isInAddress(claim)) return null;
  const length = lengthOf(written);
  const isPadded = length > lengthOf(before.version);
  const padding = isPadded ? ".0".repeat(Math.max(0, length - lengthOf(now.version))) : "";
  return cut(now.version, length) + padding;
}

/**
 * Whether the statement has a version between the old one and the new one, or the release from which on it was true: a
 * person has to look at it.
 */
function isContradicted(
  { page, region, says: written }: VersionClaim,
  { version: asked }: Demanded,
): boolean {
  const statement = statementAt(page, region.start);
  const text = statement ? page.text.slice(statement.region.start, statement.region.end) : "";
  if (AS_OF.test(text)) return true;
  return [...text.matchAll(/(?<!\d)\d+(?:\.\d+)+/g)].some(
    ([version]) => compareVersions(written, version) < 0 && compareVersions(version, asked) <= 0,
  );
}

/** Whether the version is the label of a link whose address has it too, as that of its release notes. */
function isInAddress({ page, region, says: written }: VersionClaim): boolean {
  const isPicture = page.text[page.text.lastIndexOf("[", region.start) - 1] === "!";
  if (isPicture) return false;
  const [, address = ""] =
    /^[^\]\n]{0,20}\]\((\S*)/.exec(page.text.slice(region.end, region.end + 300)) ?? [];
  return address.includes(written);
}

function cut(asked: string, length: number): string {
  return asked.split(".").slice(0, length).join(".");
}

function lengthOf(written: string): number {
  return written.split(".").length;
}

/** Certain where the words ask for this version or a newer one and the page's own package does so too. */
function tierOf({ isFloor, as }: VersionClaim, { from }: Demands): Drift["tier"] {
  return isFloor && as === "least" && from === "package" ? "certain" : "likely";
}

function lineOf({ path, region }: Demanded, state: State) {
  return lineOfOffset(path, region.start, state);
}
