import type { Claims } from "../../docs/claims/claims.ts";
import type { Assets } from "../../http/assets.ts";
import { adviceFor, claimWords, howNamed } from "../../wording/claims.ts";
import { printSingleFile } from "../single-file.ts";
import type { ClaimsView } from "./view.ts";

/** The claims of a project beside the text of its pages, as one HTML file that makes no requests. */
export async function printClaims(assets: Assets, claims: Claims, name: string): Promise<string> {
  const data = await collectView(claims, name);
  return printSingleFile(assets, { page: "claims", title: claimWords.title(name), data });
}

async function collectView({ report, read }: Claims, name: string): Promise<ClaimsView> {
  const lines = new Map<string, readonly string[]>();
  const lineOf = async (path: string, line: number): Promise<string> => {
    const known = lines.get(path) ?? ((await read(path)) ?? "").split(/\r?\n/);
    lines.set(path, known);
    return (known[line - 1] ?? "").trim().slice(0, LONGEST_LINE);
  };
  const code: Record<string, string> = {};
  for (const { claims } of report.pages)
    for (const { thing } of claims)
      if (thing) code[`${thing.path}:${thing.line}`] ??= await lineOf(thing.path, thing.line);
  const pages = await Promise.all(
    report.pages.map(async (page) => ({ ...page, text: (await read(page.path)) ?? "" })),
  );
  const advice = report.totals.reasons.flatMap(({ why }) => {
    const told = adviceFor(why);
    return told === null ? [] : [[why, told] as const];
  });
  return { ...report, name, pages, code, ways: howNamed, advice: Object.fromEntries(advice) };
}

const LONGEST_LINE = 300;
