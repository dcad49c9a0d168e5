import manifest from "../package.json" with { type: "json" };

const house = new URL("../", import.meta.url);

/** The source file of each name that programs import from this repository. */
export const sourceEntries: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(manifest.exports).flatMap(([entry, door]) => {
    if (typeof door === "string") return [];
    const source = door.default.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts");
    return [[`suture${entry.slice(1)}`, new URL(source, house).href]];
  }),
  ["suture-fleet", new URL("packages/fleet/src/index.ts", house).href],
]);
