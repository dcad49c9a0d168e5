import type { Region } from "../../../text/model/region.ts";
import type { ManifestItem } from "../item.ts";
import { manifestAt, readManifest } from "../manifest.ts";
import { floorOf } from "./floor.ts";

/** A version of a runtime, a tool or a service that a manifest asks for. */
export type Demand = {
  /** The product by the name that manifests use: `node`, `python`, `postgres`. */
  readonly product: string;
  readonly version: string;
  /** The least version that will do, or the one that is used. */
  readonly as: "least" | "used";
  readonly region: Region;
};

/** Whether a file may say which versions its package asks for. */
export function mayDemand(path: string): boolean {
  const manifest = manifestAt(path);
  return manifest !== undefined && (manifest.namesPackages === true || manifest.demands === true);
}

/** The versions that a manifest asks for: engines with their floors, images with their tags. */
export function readDemands(path: string, text: string): Demand[] {
  if (!mayDemand(path)) return [];
  const demands = readManifest(path, text).flatMap(toDemand);
  return manifestAt(path)?.pins ? demands.map((demand) => ({ ...demand, as: "used" })) : demands;
}

/** Whether a manifest leaves the version of a product to the manifest above it. */
export function inheritsDemand(product: string, text: string): boolean {
  if (product === "java" || product === "dotnet") return true;
  return product === "rust" && /^rust-version(?:\.workspace\s*=\s*true|\s*=\s*\{\s*workspace)/m.test(text);
}

function toDemand({ kind, key, value, region }: ManifestItem): Demand[] {
  if (kind === "image") {
    const [name, tag] = key.includes("/") || value.includes(":") ? splitImage(value, key) : [key, value];
    const version = /^v?(\d+(?:\.\d+)*)(?=$|-)/.exec(tag)?.[1];
    return version ? [{ product: name, version, as: "used", region }] : [];
  }
  if (kind !== "engine" || key === "edition" || key === "toolchain") return [];
  // The one version that will do: `pnpm@9.12.0`.
  const [, manager, exact] = key === "packageManager" ? (/^(\w+)@(\d+(?:\.\d+)*)/.exec(value) ?? []) : [];
  if (manager !== undefined)
    return (["least", "used"] as const).map((as) => ({ product: manager, version: exact!, as, region }));
  const version = floorOf(value);
  if (version === null) return [];
  // Java 8 was 1.8 for its tools.
  const plain = key === "java" ? version.replace(/^1\.(?=\d)/, "") : version;
  return [{ product: key, version: plain, as: "least", region }];
}

/** `registry/library/postgres:14` is `postgres` at `14`. */
function splitImage(value: string, key: string): [name: string, tag: string] {
  const colon = value.lastIndexOf(":");
  const [path, tag] =
    colon > value.lastIndexOf("/") ? [value.slice(0, colon), value.slice(colon + 1)] : [key, value];
  return [path.slice(path.lastIndexOf("/") + 1), tag];
}
