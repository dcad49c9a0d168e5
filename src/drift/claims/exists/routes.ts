import { defined } from "../../../text/model/defined.ts";
import { boundTo } from "../../binding/bound-by.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { readHeadings, readStatements } from "../../pages/statements.ts";
import { isProduct, type State } from "../../state/state.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Claim, Drift, Truth } from "../claim.ts";

/** "`GET /users/:id`", "`curl http://localhost:3000/users/17`": a server of the project answers this path. */
export type RouteClaim = Claim & { readonly role: "route"; readonly method?: string; readonly path: string };

const CALLED =
  /\b(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+|(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?(?=\/))(\/[\w\-.~/:{}<>*]*)/g;

/** The paths that a page tells people to request: after a method, or on their own machine. */
export function readRoutes(page: DocumentPage): RouteClaim[] {
  if (page.text.search(CALLED) < 0) return [];
  return [...readStatements(page), ...readHeadings(page)].flatMap(({ region: { start, end } }) =>
    [...page.text.slice(start, end).matchAll(CALLED)].map(
      ({ 0: all, 1: method, 2: path = "", index }): RouteClaim => {
        const from = start + index + all.length - path.length;
        const plain = path.replace(/[.:]+$/, "");
        const region = { start: from, end: from + plain.length };
        return { page, role: "route", path: plain, region, ...defined({ method }) };
      },
    ),
  );
}

/** The literal parts of a path, by which files that declare it are found. */
export function wordsOf(path: string): string[] {
  return path.split("/").filter((part) => /^[A-Za-z][\w-]*$/.test(part));
}

async function routesFor({ path, method }: RouteClaim, state: State): Promise<Thing[]> {
  const held = await state.holders(wordsOf(path));
  const files = new Set([...held.values()].flat().filter(isProduct));
  const found: Thing[] = [];
  for (const file of [...files].slice(0, MOST_FILES))
    for (const thing of await state.surface(file))
      if (thing.kind === "route" && matches(thing.name, path) && isMethod(thing, method)) found.push(thing);
  return found;
}

const MOST_FILES = 60;

function isMethod({ owner: [own] }: Thing, method: string | undefined): boolean {
  return own === undefined || method === undefined || own === method;
}

/** Whether a path is a request of a route: `/users/17` of `/users/:id`. */
function matches(route: string, path: string): boolean {
  const [parts, given] = [partsOfPath(route), partsOfPath(path)];
  return (
    parts.length === given.length &&
    parts.every((part, at) => part === given[at] || isHole(part) || isHole(given[at]!)) &&
    parts.some((part, at) => part !== "" && part === given[at])
  );
}

/** The parts of a path; a slash at its end makes no other path. */
function partsOfPath(path: string): string[] {
  return path.replace(/(?<=.)\/$/, "").split("/");
}

function isHole(part: string): boolean {
  return /^[:{<*]/.test(part);
}

/** A server answered the path at the base, and none does now. */
export async function judgeRoute(
  claim: RouteClaim,
  { base, head }: { readonly base: State; readonly head: State },
): Promise<Drift<RouteClaim> | null> {
  const [was] = await routesFor(claim, base);
  if (!was || (await routesFor(claim, head)).length > 0) return null;
  // A server that we can no longer read proves no route gone.
  const now = (await head.surface(was.path)).filter(({ kind }) => kind === "route");
  if (now.length === 0 || (await isQuoted(was, head))) return null;
  const fresh = findFresh(was, { before: await base.surface(was.path), now });
  const repair = fresh && rewrite(claim.path, was.name, fresh.name);
  const before = await base.line(was.path, was.line);
  const evidence = fresh
    ? {
        path: fresh.path,
        revision: head.revision,
        startLine: fresh.line,
        endLine: fresh.line,
        before,
        after: await head.line(fresh.path, fresh.line),
      }
    : { path: was.path, revision: base.revision, startLine: was.line, endLine: was.line, before };
  return {
    claim,
    tier: "likely",
    message: fresh ? { what: "renamed", old: was.name, new: fresh.name } : { what: "removed", old: was.name },
    evidence: [evidence],
    cause: fresh ? `renamed:${was.name}→${fresh.name}` : `removed:${was.name}`,
    rule: fresh ? "rename" : "removal",
    ...defined({ repair }),
  };
}

/** Whether the file still has the path in a form that we do not read as a route. */
async function isQuoted({ path, name }: Thing, head: State): Promise<boolean> {
  return new RegExp(`["'\`]${name.replace(/\W/g, "\\$&")}["'\`]`).test((await head.text(path)) ?? "");
}

/** The only new route of the method, where only this one is gone. */
function findFresh(
  was: Thing,
  { before, now }: { readonly before: readonly Thing[]; readonly now: readonly Thing[] },
): Thing | undefined {
  const isPeer = ({ kind, owner, name }: Thing): boolean =>
    kind === "route" && owner[0] === was.owner[0] && name.split("/").length === was.name.split("/").length;
  const [old, present] = [new Set(before.map(({ id }) => id)), new Set(now.map(({ id }) => id))];
  const gone = before.filter((thing) => isPeer(thing) && !present.has(thing.id));
  const fresh = now.filter((thing) => isPeer(thing) && !old.has(thing.id));
  return gone.length === 1 && fresh.length === 1 ? fresh[0] : undefined;
}

/** The requested path with the parts that the route changed. */
function rewrite(path: string, old: string, fresh: string): string {
  const [from, to] = [old.split("/"), fresh.split("/")];
  return path
    .split("/")
    .map((part, at) => (part === from[at] || !isHole(to[at] ?? ":") ? (to[at] ?? part) : part))
    .join("/");
}

export async function routeTruth(claim: RouteClaim, state: State): Promise<Truth> {
  const found = await routesFor(claim, state);
  return found.length > 0
    ? { is: "true", ...boundTo(found, "qualified") }
    : { is: "undecidable", why: "the server may answer it in a way that is not read" };
}
