import { posix } from "node:path";
import type { Span } from "../../syntax/formats/document.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { isMarkdownPath, USUAL_EXTENSIONS } from "../../syntax/formats/registry.ts";
import { gateText } from "../../wording/agents.ts";
import { findAnchors, findHosts, hostName, type KnownFacts } from "./known-facts.ts";
import type { DraftedPage, GateVerdict, Objection, Risk } from "./objection.ts";

/** New links must lead to existing files and headings. A model may not add addresses of unknown hosts. */
export function checkLinks(draft: DraftedPage, facts: KnownFacts): Partial<GateVerdict> {
  const { path, before, after } = draft;
  const old = new Set(before === null ? [] : destinations(path, before).map(({ value }) => value));
  const fresh = destinations(path, after).filter(({ value }) => !old.has(value));
  const objections: Objection[] = [];
  const risks: Risk[] = [];
  for (const link of fresh) {
    const why = /^[a-z][a-z0-9+.-]*:|^\/\//i.test(link.value)
      ? checkAddress(link, facts, before ?? "")
      : checkLocal(draft, link.value, facts);
    if (why) objections.push({ gate: why.gate, path, detail: why.detail });
    else if (/^https?:/i.test(link.value)) risks.push({ path, what: "new address", detail: link.value });
  }
  return { objections: [...objections, ...checkHosts(draft, facts)], risks };
}

type PageLink = { readonly kind: Span["kind"]; readonly value: string };
type Why = { readonly gate: "links" | "addresses"; readonly detail: string } | null;

function destinations(path: string, text: string): PageLink[] {
  return outlineDocument(path, text).spans.flatMap(({ kind, destination }) =>
    destination ? [{ kind, value: destination.value.replace(/^<|>$/g, "") }] : [],
  );
}

function checkAddress({ kind, value }: PageLink, facts: KnownFacts, old: string): Why {
  const url = URL.parse(value.startsWith("//") ? `https:${value}` : value);
  if (!url || !/^https?:$/.test(url.protocol)) return { gate: "addresses", detail: gateText.notWeb(value) };
  const host = hostName(url.host);
  if (!facts.knowsHost(host) && !findHosts(old).has(host))
    return {
      gate: "addresses",
      detail: gateText.unknownHost(host),
    };
  // Every reader of the page fetches an image, and its address can carry data away.
  if (kind === "image" || url.search !== "" || url.username !== "")
    return {
      gate: "addresses",
      detail: gateText.carriesData(value),
    };
  return null;
}

function checkLocal({ path, after }: DraftedPage, value: string, facts: KnownFacts): Why {
  const [file = "", fragment] = value.split("#", 2);
  const named = decode(file.split("?", 1)[0]!);
  const target = named === "" ? path : findTarget(path, named, facts);
  // Other formats link to labels by plain words.
  if (target === undefined && !/[./]/.test(named) && !isMarkdownPath(path)) return null;
  // Each site maps its root to a folder in its own way.
  if (target === undefined && named.startsWith("/")) return null;
  if (target === undefined)
    return {
      gate: "links",
      detail: gateText.noFile(value),
    };
  if (!fragment || target === null) return null;
  const anchors = target === path ? findAnchors(path, after) : facts.anchorsOf(target);
  if (!anchors || anchors.has(decode(fragment)) || anchors.has(decode(fragment).toLowerCase())) return null;
  return { gate: "links", detail: gateText.noHeading(value, target) };
}

/** The target file of a link; `null` for a folder, `undefined` where there is no target. */
function findTarget(from: string, named: string, facts: KnownFacts): string | null | undefined {
  const base = named.startsWith("/") ? "." : posix.dirname(from);
  const joined = posix.normalize(posix.join(base, named)).replace(/\/$/, "");
  if (joined.startsWith("..")) return undefined;
  const bare = joined.replace(/\.html?$/, "");
  const extensions = USUAL_EXTENSIONS.map((extension) => `.${extension}`);
  const endings = ["", ...extensions, "/index.md", "/index.mdx", "/README.md"];
  for (const name of [joined, bare])
    for (const ending of endings) if (facts.hasFile(name + ending)) return name + ending;
  return facts.hasFolder(joined === "." ? "" : joined) ? null : undefined;
}

/** Finds new hosts in raw HTML and in code, where addresses are not links. */
function checkHosts({ path, before, after }: DraftedPage, facts: KnownFacts): Objection[] {
  const old = findHosts(before ?? "");
  const linked = new Set(destinations(path, after).flatMap(({ value }) => [...findHosts(value)]));
  return [...findHosts(after)]
    .filter(
      (host) => !old.has(host) && !linked.has(host) && !facts.knowsHost(host) && !forExamples.test(host),
    )
    .map((host) => ({
      gate: "addresses",
      path,
      detail: gateText.unknownHost(host),
    }));
}

// Host names reserved for examples and for the local machine. They cannot be registered.
const forExamples =
  /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|(.+\.)?example(\.(com|org|net))?|.+\.(example|test|invalid|localhost))$/;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
