import type { Manifest, ManifestItem } from "./item.ts";
import { MANIFESTS } from "./registry.ts";

/** Larger files were generated. */
const LARGEST = 1_000_000;

/** The items of a manifest, with exact places; none for a file that is not a manifest. Never throws. */
export function readManifest(path: string, text: string): ManifestItem[] {
  const manifest = manifestAt(path);
  return manifest && text.length <= LARGEST ? manifest.read(text, path) : [];
}

export function isManifest(path: string): boolean {
  return manifestAt(path) !== undefined;
}

/** Whether a file names the packages that the project needs. */
export function namesPackages(path: string): boolean {
  return manifestAt(path)?.namesPackages ?? false;
}

/** The kind of manifest that a path has. */
export function manifestAt(path: string): Manifest | undefined {
  return MANIFESTS.find(({ files }) => files.test(path));
}
