import { gateText } from "../../wording/agents.ts";
import { forExamples } from "./addresses.ts";
import type { KnownFacts } from "./known-facts.ts";
import type { DraftedPage, GateVerdict } from "./objection.ts";

/** A new command may install a package from an address only if the page or a manifest has that address. */
export function checkInstallSources(
  { path, before, after }: DraftedPage,
  facts: KnownFacts,
): Partial<GateVerdict> {
  const old = (before ?? "").toLowerCase();
  const unknown = [
    ...findInstallSources(after).filter(
      (source) => !facts.knowsPackage(source) && !forExamples.test(hostOf(source)),
    ),
    ...findImages(after).filter((image) => !isKnownImage(image, facts)),
  ].filter((source) => !old.includes(source));
  return {
    objections: [...new Set(unknown)].map((source) => ({
      gate: "safety",
      path,
      detail: gateText.installSource(source),
    })),
  };
}

function hostOf(source: string): string {
  return source.split(/[/:]/, 1)[0]!;
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
  String.raw`\bhelm[ \t]+repo[ \t]+add${between}(${address})`,
  String.raw`\bdeno[ \t]+(?:run|install|add|x|serve|compile)${between}((?:npm|jsr):[\w@./-]{1,200})`,
  String.raw`\bgit[ \t]+(?:clone|submodule[ \t]+add|remote[ \t]+add)${between}(${address})`,
  String.raw`\b(?:npm[ \t]+(?:i|install|add|exec|x)|pnpm[ \t]+(?:add|dlx)|yarn[ \t]+(?:add|dlx)|bun[ \t]+(?:add|x)|npx|bunx|brew[ \t]+(?:tap|install)|gh[ \t]+extension[ \t]+install)[ \t]+(?:-\S+[ \t]+)*(${owned})(?![^\n]*://)`,
].map((source) => new RegExp(source, "gi"));

/**
 * The images of other people that commands, Docker files and services fetch or run, and actions of workflows. An image
 * without an owner is an official one.
 */
function findImages(text: string): string[] {
  const commands = joinLines(text).matchAll(
    /\b(?:docker|podman|nerdctl|buildah)[ \t]+(?:(?:image|container)[ \t]+)?(?:run|pull|create|from)[ \t]+([^\n|;&`]{1,400})/gi,
  );
  const files = text.matchAll(
    /^[ \t>]*(?:-[ \t]+)?(?:(?:image|uses):|FROM)[ \t]+(?:--\S+[ \t]+)?(["']?[\w.-]+(?::\d+)?\/[^\s#]{1,200})/gm,
  );
  return [
    ...Array.from(commands, ([, words]) => imageIn(words!.split(/\s+/))),
    ...Array.from(files, ([, image]) => imageIn([image!])),
  ].filter((image) => image !== "" && !ownActions.test(image));
}

/** Actions of the owner of the service, which run there anyway. */
const ownActions = /^(?:actions|github)\//;

/** The first word with an owner that is no option and no value of one. */
function imageIn(words: readonly string[]): string {
  const image = words.find(
    (word, at) =>
      /^["']?[\w.-]+(?::\d+)?(?:\/[\w.-]+)+(?:[:@][\w.:-]+)?["']?$/.test(word) &&
      !/^[.~-]/.test(word) &&
      !/^(?:-[a-z]*[evwlu]|--(?:volume|mount|workdir|env|env-file|label|user|platform|entrypoint|cpuset-cpus|network|name|cidfile))$/.test(
        words[at - 1] ?? "",
      ),
  );
  return (image ?? "")
    .toLowerCase()
    .replace(/["']/g, "")
    .replace(/@.*$|:[^/]*$/, "");
}

/** An image whose registry, owner and name all occur in the code is the project's own or one that it uses. */
function isKnownImage(image: string, facts: KnownFacts): boolean {
  const [first = "", ...rest] = image.split("/");
  const isHost = /[.:]/.test(first);
  if (isHost && !facts.knowsHost(first.replace(/:\d+$/, "")) && !facts.knows(first.split(".", 1)[0]!))
    return false;
  return (isHost ? rest : [first, ...rest]).every((part) => facts.knows(part));
}

/** The repositories that commands of a text install from: host, owner and name, without scheme and version. */
function findInstallSources(text: string): string[] {
  const joined = joinLines(text);
  return installers.flatMap((shape) =>
    Array.from(joined.matchAll(shape), ([, source]) => bareSource(source!)),
  );
}

/** A line that ends in a backslash goes on below. */
function joinLines(text: string): string {
  return text.replace(/\\[ \t]*\r?\n[ \t>]*/g, " ");
}

function bareSource(source: string): string {
  return source
    .toLowerCase()
    .replace(/^(?:git\+)?\w+:\/\/(?:[^/@]*@)?/, "")
    .replace(/^git@([^:/]+):/, "$1/")
    .replace(/[?#].*$|@[^/]*$/, "")
    .replace(/(?<![).,;:])[).,;:]+$/, "")
    .split("/", 3)
    .join("/")
    .replace(/\.git$/, "");
}
