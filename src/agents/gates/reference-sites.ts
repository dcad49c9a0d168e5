import { CODE_HOSTS } from "../../syntax/code-hosts.ts";
import { LANGUAGES } from "../../syntax/languages/registry.ts";
import { hostName } from "./known-facts.ts";

/**
 * Whether an address leads to the documentation of a language, a standard or a package manager. Their owners write every
 * page there, and nobody else reads their logs, so that a link to one can neither mislead a reader nor carry data away.
 */
export function isReferencePage(url: URL): boolean {
  const host = hostName(url.host);
  if (url.protocol !== "https:" || url.port !== "") return false;
  if (host === "pkg.go.dev") return isStandardPackage(url.pathname);
  return (SITES[host] ?? []).some((start) => url.pathname.startsWith(start));
}

/** Paths of other packages begin with a host, which has a dot. */
function isStandardPackage(path: string): boolean {
  return /^\/[a-z][a-z0-9]*(?:\/[a-z0-9]+)*(?:@go\d[\w.]*)?$/.test(path);
}

/** The archived copy's own address, for a page of the Web Archive. */
export function archivedAddress(url: URL): URL | null {
  if (url.protocol !== "https:" || url.host !== "web.archive.org") return null;
  const [, address] = /^\/web\/\d{4,14}\/(https?:\/\/.+)$/.exec(url.pathname) ?? [];
  return address === undefined ? null : URL.parse(address);
}

/** Hosts, and the beginnings of the paths at which their owners alone publish. */
const SITES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(LANGUAGES.flatMap(({ documentation = {} }) => Object.entries(documentation))),
  ...Object.fromEntries(
    CODE_HOSTS.flatMap(({ documentation }) => (documentation ? [[documentation, ["/"]]] : [])),
  ),
  "cheatsheetseries.owasp.org": ["/"],
  "datatracker.ietf.org": ["/doc/"],
  "developer.mozilla.org": ["/"],
  "docs.astral.sh": ["/"],
  "docs.docker.com": ["/"],
  "docs.gradle.org": ["/"],
  "docs.npmjs.com": ["/"],
  "dom.spec.whatwg.org": ["/"],
  "encoding.spec.whatwg.org": ["/"],
  "fetch.spec.whatwg.org": ["/"],
  "git-scm.com": ["/"],
  "html.spec.whatwg.org": ["/"],
  "json-schema.org": ["/"],
  "keepachangelog.com": ["/"],
  "kubernetes.io": ["/docs/"],
  "learn.microsoft.com": [
    "/en-us/azure/",
    "/en-us/dotnet/",
    "/en-us/powershell/",
    "/en-us/rest/",
    "/en-us/windows/",
  ],
  "maven.apache.org": ["/"],
  "opensource.org": ["/license"],
  "pip.pypa.io": ["/"],
  "pnpm.io": ["/"],
  "semver.org": ["/"],
  "spdx.org": ["/licenses/"],
  "tc39.es": ["/"],
  "toml.io": ["/"],
  "tools.ietf.org": ["/html/"],
  "url.spec.whatwg.org": ["/"],
  "www.conventionalcommits.org": ["/"],
  "www.iana.org": ["/assignments/"],
  "www.postgresql.org": ["/docs/"],
  "www.rfc-editor.org": ["/rfc/"],
  "www.sqlite.org": ["/"],
  "www.w3.org": ["/TR/"],
  "yaml.org": ["/spec/"],
  "yarnpkg.com": ["/"],
};
