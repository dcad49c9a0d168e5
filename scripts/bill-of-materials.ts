import type { Part } from "./third-party.ts";

/** As much of a bill in the form of CycloneDX as is needed here. */
export type Bill = {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

type Component = {
  readonly "bom-ref": string;
  readonly type: string;
  readonly name: string;
  readonly hashes?: unknown;
  readonly externalReferences?: readonly { readonly url: string }[];
};

/** A package and the packages whose code is inside of it. */
type Package = { readonly name: string; readonly bundled: readonly Bundled[] };

type Bundled = Pick<Part, "name" | "version" | "licence">;

/** The bill of a package, from what npm says about a folder in which only the package was installed. */
export function billOf({ name, bundled }: Package, folder: Bill): Bill {
  const own = folder.components.find((component) => component.name === name);
  if (own === undefined) throw new Error(`${name} was not installed`);
  const parts = bundled.map(describePart);
  const inside = parts.map((part) => part["bom-ref"]);
  return {
    ...folder,
    metadata: { ...folder.metadata, component: published(own) },
    components: [...folder.components.filter((component) => component !== own), ...parts],
    dependencies: [
      ...folder.dependencies
        .filter(({ ref }) => ref !== folder.metadata.component["bom-ref"])
        .map(({ ref, dependsOn }) => ({
          ref,
          dependsOn: ref === own["bom-ref"] ? [...dependsOn, ...inside] : dependsOn,
        })),
      ...inside.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

/** Without the tarball of the trial: the registry gets one that npm packs when it publishes. */
function published({ hashes: _, externalReferences = [], ...own }: Component): Component {
  return { ...own, externalReferences: externalReferences.filter(({ url }) => !url.startsWith("file:")) };
}

function describePart({ name, version, licence }: Bundled) {
  return {
    type: "library",
    "bom-ref": `bundled:${name}@${version}`,
    name,
    version,
    scope: "required",
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [{ license: { id: licence } }],
    properties: [{ name: "suture:bundled", value: "true" }],
  };
}
