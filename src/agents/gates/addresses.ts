import type { Region } from "../../text/model/region.ts";
import { hostName } from "./known-facts.ts";
import { asBrowserReads, resolveEscapes } from "./normalise.ts";

/** Every host that a text names in an address, however it is written. Code is read too: readers copy it. */
export function findAddressedHosts(text: string, code: readonly Region[] = []): Set<string> {
  const hosts = new Set<string>();
  // Line ends inside an address are dropped by browsers, but text wraps: only tabs are dropped here.
  const read = resolveEscapes(text).replaceAll("\\", "/").replaceAll("\t", " ");
  for (const [, scheme, slashes, host] of read.matchAll(WITH_SCHEME))
    if (!isTemplate(host!) && hasHost(scheme!, slashes!)) add(hosts, `${scheme}://${host}`);
  for (const [, host] of read.matchAll(REMOTE_COPY)) add(hosts, `https://${host}`);
  for (const [, host] of read.matchAll(WORLD_WIDE)) add(hosts, `https://${host}`);
  // Two slashes begin a comment in code.
  const prose = resolveEscapes(blank(text, code)).replaceAll("\\", "/");
  for (const [, host] of prose.matchAll(MAIL)) add(hosts, `https://${host}`);
  for (const [host] of prose.matchAll(BARE)) add(hosts, `https://${host}`);
  for (const [command] of read.matchAll(CONNECTING))
    for (const [, host] of command.matchAll(GIVEN_HOST)) add(hosts, `https://${host}`);
  for (const [, host] of prose.matchAll(WITHOUT_SCHEME)) {
    // A browser reads numbers and letters of other scripts as hosts too. A word without a dot is none on the web.
    const read = URL.parse(`https://${host!.replace(/(?<![.,;:!?*_])[.,;:!?*_]+$/, "")}`)?.hostname ?? "";
    if (/[.:]/.test(read)) add(hosts, `https://${host}`);
  }
  return hosts;
}

const WITH_SCHEME = /\b([a-z][a-z0-9+.-]{1,20}):(\/{1,})([^\s/?#"'`<>()[\]{}|^,;]{1,300})/gi;
/** `https:host` leads to the host too, and hosts make links of names that begin with `www.`. */
const WORLD_WIDE =
  /(?<![\w./@-])(?:(?:https?|wss?|ftp):(?!\/)(?=[a-z0-9])|(?=www\.))([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})/gi;
const WITHOUT_SCHEME = /(?<![:\w/.])\/{2,}([^\s/?#"'`<>()[\]{}|^,;$%*]{1,300})/gi;
/** `git@host:path` and `scp x user@host:`. */
const REMOTE_COPY = /(?<![\w./-])[\w.-]{1,64}@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}):(?![\s\d]*$)\S/gi;

/** Hosts make links of mail addresses. Versions of packages look like them: `name@1.2.x`. */
const MAIL =
  /(?<![\w./@+-])[\w.+-]{1,64}@((?!v?\d)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,7}\.[a-z]{2,24})(?![\w-]|\.[a-z]|[@/:])/gi;

/** Site builders make links of names under the usual endings, and of more of them where a path follows. */
const BARE =
  /(?<![\w./@:=\\-])[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,63}){0,7}\.(?:(?:com|org|info|biz)(?![\w.-]*[\w-]|[(=])|(?:net|dev|io|app|co|me|xyz|site|online|top|ru|cn|cc|gg|link|sh|ai)(?=\/\w))/gi;

/** Programs that connect to a host that is given without a scheme: with a path or port, or under a usual ending. */
const CONNECTING =
  /(?<![\w./-])(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|httpie|xh|nc|ncat|netcat|telnet|ssh|sftp|ftp|ping)\s[^\n|;&]{1,300}/gi;
const GIVEN_HOST =
  /(?<=[\s"'=@])((?!\d+\.\d+(?:\.\d+)?(?:[\s/]|$))[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,7}\.(?:[a-z]{2,24}(?=[/:][\w?])|(?:com|org|net|dev|io|app|co|info|biz|xyz|site|online|top|ru|cn|me|cc|gg|link)(?=["'\s]|$)))/gi;

/** Browsers read any number of slashes after the web's schemes. With another scheme, a host follows exactly two. */
function hasHost(scheme: string, slashes: string): boolean {
  return slashes.length === 2 || /^(?:https?|wss?|ftp)$/i.test(scheme);
}

function add(hosts: Set<string>, address: string): void {
  const bare = address.replace(/(?<![.,;:!?*_])[.,;:!?*_]+$/, "");
  const url = URL.parse(bare.replace(/^[a-z][a-z0-9+.-]*:/i, "https:"));
  const host = url ? hostName(url.host) : hostName(bare.replace(/^[^/]*\/\//, ""));
  if (host !== "") hosts.add(host);
}

/** A placeholder such as `${HOST}` or `<host>` is no host. */
function isTemplate(host: string): boolean {
  return /^[$%*]|^\.|^$/.test(host) || /^(?:HOST|YOUR|MY|DOMAIN)[A-Z_-]*$/.test(host);
}

/** The text with spaces in place of the regions, which are in order. */
export function blank(text: string, regions: readonly Region[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of regions) {
    if (start < at) continue;
    parts.push(text.slice(at, start), text.slice(start, end).replace(/[^\n]/g, " "));
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}

/** An address on a page: a place of the same site, another host, or something that is no place at all. */
export type LinkedPlace =
  | { readonly is: "local"; readonly value: string }
  | { readonly is: "remote"; readonly url: URL }
  | { readonly is: "other"; readonly value: string };

/** What a browser makes of an address that stands on a page. */
export function judgeAddress(address: string): LinkedPlace {
  const value = asBrowserReads(address);
  const url = URL.parse(value, "https://page.invalid/folder/page");
  if (!url) return { is: "other", value };
  if (!/^https?:$/.test(url.protocol)) return { is: "other", value };
  return url.host === "page.invalid" && !/^[a-z]+:|^\/\//i.test(value)
    ? { is: "local", value }
    : { is: "remote", url };
}

/** Host names reserved for examples and for the local machine. They cannot be registered. */
export const forExamples =
  /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|(.+\.)?example(\.(com|org|net))?|.+\.(example|test|invalid|localhost))$/;
