import { readCargo } from "./cargo.ts";
import { readCompose } from "./compose.ts";
import { readDockerfile } from "./dockerfile.ts";
import { readEnvFile } from "./env-file.ts";
import { readGitHubAction, readGitHubWorkflow } from "./github.ts";
import { readGoMod } from "./go-mod.ts";
import type { ManifestItem } from "./item.ts";
import { readMakefile } from "./makefile.ts";
import { readComposerJson, readDenoJson, readPackageJson } from "./package-json.ts";
import { readPyproject, readSetupCfg } from "./python.ts";
import { readVersionFile } from "./version-file.ts";

type Reader = (text: string, path: string) => ManifestItem[];

/** What a manifest says, with exact places; nothing for a file that is not one. Never throws. */
export function readManifest(path: string, text: string): ManifestItem[] {
  const reader = readerOf(path);
  return reader && text.length <= LARGEST ? reader(text, path) : [];
}

export function isManifest(path: string): boolean {
  return readerOf(path) !== undefined;
}

const LARGEST = 1_000_000;

const READERS: readonly (readonly [RegExp, Reader])[] = [
  [/(?:^|\/)package\.json$/, readPackageJson],
  [/(?:^|\/)(?:deno|jsr)\.jsonc?$/, readDenoJson],
  [/(?:^|\/)composer\.json$/, readComposerJson],
  [/(?:^|\/)pyproject\.toml$/, readPyproject],
  [/(?:^|\/)setup\.cfg$/, readSetupCfg],
  [/(?:^|\/)Cargo\.toml$/, readCargo],
  [/(?:^|\/)go\.mod$/, readGoMod],
  [/(?:^|\/)(?:[\w.-]+\.)?(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$/i, readDockerfile],
  [/(?:^|\/)(?:docker-)?compose(?:\.[\w.-]+)?\.ya?ml$/, readCompose],
  [/(?:^|\/)action\.ya?ml$/, readGitHubAction],
  [/(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/, readGitHubWorkflow],
  [/(?:^|\/)\.env\.(?:example|sample|template|dist|defaults)$|(?:^|\/)(?:example|sample)\.env$/, readEnvFile],
  [/(?:^|\/)(?:GNUm|m|M)akefile$|(?:^|\/)\.?justfile$/i, readMakefile],
  [
    /(?:^|\/)(?:\.nvmrc|\.node-version|\.python-version|\.ruby-version|\.go-version|\.tool-versions|rust-toolchain)$/,
    readVersionFile,
  ],
];

function readerOf(path: string): Reader | undefined {
  return READERS.find(([name]) => name.test(path))?.[1];
}
