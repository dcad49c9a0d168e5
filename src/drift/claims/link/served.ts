import { isDocumentPath } from "../../../syntax/formats/registry.ts";
import { type IgnoreRules, judge, parseIgnore } from "../../../text/match/ignore.ts";
import { foldersAbove, lastName } from "../../change/folders.ts";
import type { State } from "../../state/state.ts";
import { placesOf } from "./places.ts";

/** Why a path that the tree lacks may be there for a reader all the same; null where nothing speaks for it. */
export async function whyServed(
  paths: readonly string[],
  written: string,
  state: State,
): Promise<string | null> {
  for (const path of paths.slice(0, MOST_PATHS)) {
    if (GENERATED.test(path)) return "below a folder of generated files";
    if (await isIgnored(path, state)) return "git ignores it, so a build writes it";
  }
  const { outputs, redirects, addresses } = await configurationOf(state);
  if (paths.some((path) => outputs.some((folder) => `${path}/`.startsWith(`${folder}/`))))
    return "below a folder that a build writes";
  if (isRedirected(written, redirects, addresses)) return "the site redirects it";
  return (await isFlat(paths, written, state)) ? "the site finds files by their names alone" : null;
}

/** Whether the site finds the file by its name: ExDoc puts all pages into one folder, DocC all files of a catalogue. */
async function isFlat(paths: readonly string[], written: string, state: State): Promise<boolean> {
  const named = placesOf(state).endingWith(lastName(written));
  const catalogues = paths.flatMap((path) => CATALOGUE.exec(path)?.[0] ?? []);
  if (named.some((one) => catalogues.some((folder) => one.startsWith(folder)))) return true;
  if (!isDocumentPath(written) || named.length === 0 || !state.files().has("mix.exs")) return false;
  return ((await state.text("mix.exs")) ?? "").includes("extras");
}

const CATALOGUE = /^.*?\.docc\//;

/** Whether a path is a link of the file system or lies in another repository. */
export async function isDetour(path: string, { detours }: State): Promise<boolean> {
  const found = (await detours?.()) ?? [];
  return found.some((detour) => path === detour || path.startsWith(`${detour}/`));
}

// The first paths are the likeliest; further ones only differ in their ending.
const MOST_PATHS = 4;

const GENERATED = /(^|\/)(?:_?generated|_?autosummary|_build|dist|out|target|node_modules|coverage)(?=\/|$)/i;

/** Whether a `.gitignore` above a path names it, or a folder that holds it. */
async function isIgnored(path: string, state: State): Promise<boolean> {
  const names = path.split("/");
  for (let depth = 1; depth <= names.length; depth++) {
    let verdict: boolean | null = null;
    for (let from = 0; from < depth; from++) {
      const rules = await ignoreRules([...names.slice(0, from), ".gitignore"].join("/"), state);
      verdict =
        rules === null ? verdict : (judge(rules, names.slice(from, depth), depth < names.length) ?? verdict);
    }
    if (verdict === true) return true;
  }
  return ignoredAsFolder(names, state);
}

/** A link may mean a folder: `build/` names it too. */
async function ignoredAsFolder(names: readonly string[], state: State): Promise<boolean> {
  if (/\.\w+$/.test(names.at(-1)!)) return false;
  const rules = await ignoreRules(".gitignore", state);
  return rules !== null && judge(rules, names, true) === true;
}

async function ignoreRules(path: string, state: State): Promise<IgnoreRules | null> {
  const known = ignores.get(state) ?? new Map<string, IgnoreRules | null>();
  ignores.set(state, known);
  const kept = known.get(path);
  if (kept !== undefined) return kept;
  const text = state.files().has(path) ? await state.text(path) : null;
  const rules = text === null ? null : parseIgnore(text);
  known.set(path, rules);
  return rules;
}

const ignores = new WeakMap<State, Map<string, IgnoreRules | null>>();

type Configuration = {
  /** Folders that a build writes. */
  readonly outputs: readonly string[];
  /** The texts of files that may redirect addresses. */
  readonly redirects: readonly string[];
  /** Addresses that pages claim for themselves in their front matter. */
  readonly addresses: ReadonlySet<string>;
};

function configurationOf(state: State): Promise<Configuration> {
  const known = configurations.get(state) ?? readConfiguration(state);
  configurations.set(state, known);
  return known;
}

const configurations = new WeakMap<State, Promise<Configuration>>();

const SITE_FILE =
  /(^|\/)(?:_redirects|[^/]*redirects?\.\w+|(?:docusaurus|next|nuxt|astro|vite|vitepress|theme)\.config\.\w+)$/i;
const SITE_SETTINGS =
  /(^|\/)(?:mkdocs\.ya?ml|_config\.ya?ml|book\.toml|conf\.py|vercel\.json|netlify\.toml|firebase\.json|docs\.ya?ml|docs\.json|mint\.json)$/i;
const SITE_FOLDER = /(^|\/)\.(?:vitepress|vuepress)\/config(?:\.\w+|\/[^/]+\.\w+)$/;
const BUILD_FILE = /(^|\/)(?:tsconfig[\w.]*\.json|package\.json|angular\.json|[\w.]*\.config\.[cm]?[jt]s)$/;

async function readConfiguration(state: State): Promise<Configuration> {
  const outputs: string[] = [];
  const redirects: string[] = [];
  const addresses = new Set<string>();
  for (const path of state.files()) {
    const serves = SITE_FILE.test(path) || SITE_SETTINGS.test(path) || SITE_FOLDER.test(path);
    if (!serves && !(BUILD_FILE.test(path) && path.split("/").length <= 3) && !isDocumentPath(path)) continue;
    const text = (await state.text(path)) ?? "";
    if (isDocumentPath(path)) readFrontMatter(text, addresses);
    else outputs.push(...readOutputs(path, text));
    if (serves) redirects.push(redirectsIn(path, text));
  }
  return { outputs, redirects, addresses };
}

/** A file of redirects as a whole; of other settings, what follows the word. */
function redirectsIn(path: string, text: string): string {
  if (/redirect/i.test(lastName(path))) return text;
  const start = text.search(/redirect|rewrite/i);
  return start < 0 ? "" : text.slice(start);
}

const OUTPUT =
  /["']?\b(?:outDir|outdir|out_dir|site_dir|build-dir|distDir|destination|publishDir)["']?\s*[:=]\s*["']([^"'\n]+)["']/g;

function readOutputs(path: string, text: string): string[] {
  const folder = path.slice(0, path.length - lastName(path).length);
  return Array.from(
    text.matchAll(OUTPUT),
    (match) => `${folder}${match[1]!.replace(/^(?:\.\/)+|(?<!\/)\/+$/g, "")}`,
  );
}

const ADDRESS =
  /^[^\S\n]*-?\s*(?:(?:slug|permalink|id|url|redirect_from|aliases)\s*:\s*|-\s+)["']?(\/?[\w./-]+)/gm;

function readFrontMatter(text: string, into: Set<string>): void {
  if (!text.startsWith("---")) return;
  const end = text.indexOf("\n---", 3);
  if (end < 0 || end > 4000) return;
  for (const match of text.slice(0, end).matchAll(ADDRESS)) into.add(bare(match[1]!));
}

/** Whether a configuration names the address, or a pattern that takes in all below one of its folders. */
function isRedirected(
  written: string,
  redirects: readonly string[],
  addresses: ReadonlySet<string>,
): boolean {
  const plain = bare(written.replace(/^(?:\.{0,2}\/)+/, ""));
  // Sites redirect pages, not sources.
  if (plain === "" || /\.\w+$/.test(plain)) return false;
  if (addresses.has(plain) || [...addresses].some((one) => one.endsWith(`/${plain}`))) return true;
  const patterns = [plain, ...foldersAbove(plain).flatMap((folder) => [`${folder}/*`, `${folder}/:`])];
  return redirects.some((text) => patterns.some((pattern) => holdsPath(text, pattern)));
}

/** Whether the page is one of a site of Sphinx that reads Markdown with MyST, where `#label` may be anywhere. */
export async function seeksLabels(page: string, state: State): Promise<boolean> {
  for (const folder of foldersAbove(page)) {
    const path = `${folder}/conf.py`;
    if (state.files().has(path)) return ((await state.text(path)) ?? "").includes("myst");
  }
  return false;
}

function holdsPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const after = text.slice(at + path.length, at + path.length + 2);
    const isWhole = path.endsWith(":") || !/^(?:[\w*-]|\/\w)/.test(after);
    if (isWhole && !/[\w-]/.test(text[at - 1] ?? "")) return true;
  }
  return false;
}

function bare(address: string): string {
  return address.replace(/^\/+|\/+$/g, "").replace(/\.(?:html?|mdx?)$/i, "");
}
