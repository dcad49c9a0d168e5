import { gateText } from "../../wording/agents.ts";
import type { KnownFacts } from "./known-facts.ts";
import type { DraftedPage, GateVerdict } from "./objection.ts";

/** A new command may install a package from an address only if the page or a manifest has that address. */
export function checkInstallSources(
  { path, before, after }: DraftedPage,
  facts: KnownFacts,
): Partial<GateVerdict> {
  const old = (before ?? "").toLowerCase();
  const unknown = findInstallSources(after).filter(
    (source) => !old.includes(source) && !facts.knowsPackage(source),
  );
  return {
    objections: [...new Set(unknown)].map((source) => ({
      gate: "safety",
      path,
      detail: gateText.installSource(source),
    })),
  };
}

const hosted = String.raw`[\w-]+(?:\.[\w-]+)+(?::\d+)?/[^\s"'\`]{1,200}`;
const address = String.raw`(?:git\+)?(?:https?|git|ssh|file)://[^\s"'\`]{1,200}|git@[^\s"'\`]{1,200}`;
const shorthand = String.raw`(?!npm:|workspace:)[a-z]{2,12}:(?!//)[\w.-]+/[^\s"'\`]{1,200}`;
/** `owner/name` of a repository. Scopes of packages begin with an at sign, and paths with a dot. */
const owned = String.raw`(?![./~@])[\w-]+/[\w.-]+`;
const between = String.raw`[ \t]+(?:[^\n]{0,200}?[ \t"'=@])??`;

/** The commands that install a package or run one at once, each with the sources that it takes. */
const installers: readonly RegExp[] = [
  String.raw`\bgo[ \t]+(?:run|install|get)${between}(${hosted})`,
  String.raw`\bcargo[ \t]+(?:install|add|binstall)${between}(${address})`,
  String.raw`\b(?:npm|pnpm|yarn|bun|npx|pnpx|bunx)\b${between}(${address}|${shorthand})`,
  String.raw`\b(?:pip[0-9.]*|pipx|uv|uvx|poetry|pdm|rye|conda|mamba|easy_install)\b${between}(${address})`,
  String.raw`\b(?:gem|bundle|brew|composer|cpan|cpanm|luarocks|opam|nix|nix-env|dotnet|nuget|choco|scoop|winget|snap|flatpak|helm|krew|mix|rebar3|cabal|stack|deno|mise|asdf|apm|code|gh[ \t]+extension)[ \t]+(?:install|add|tap|run|profile|plugin|require|tool|exec|develop|shell|update|--install-extension)\b${between}(${address}|${shorthand})`,
  String.raw`\bgit[ \t]+(?:clone|submodule[ \t]+add|remote[ \t]+add)${between}(${address})`,
  String.raw`\b(?:npm[ \t]+(?:i|install|add|exec|x)|pnpm[ \t]+(?:add|dlx)|yarn[ \t]+(?:add|dlx)|bun[ \t]+(?:add|x)|npx|bunx|brew[ \t]+(?:tap|install)|gh[ \t]+extension[ \t]+install)[ \t]+(?:-\S+[ \t]+)*(${owned})(?![^\n]*://)`,
].map((source) => new RegExp(source, "gi"));

/** The repositories that commands of a text install from: host, owner and name, without scheme and version. */
export function findInstallSources(text: string): string[] {
  const joined = text.replace(/\\[ \t]*\r?\n[ \t>]*/g, " ");
  return installers.flatMap((shape) =>
    Array.from(joined.matchAll(shape), ([, source]) => bareSource(source!)),
  );
}

function bareSource(source: string): string {
  return source
    .toLowerCase()
    .replace(/^(?:git\+)?\w+:\/\/(?:[^/@]*@)?/, "")
    .replace(/^git@([^:/]+):/, "$1/")
    .replace(/[?#].*$|@[^/]*$/, "")
    .replace(/[).,;:]+$/, "")
    .split("/", 3)
    .join("/")
    .replace(/\.git$/, "");
}
