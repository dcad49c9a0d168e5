import { existsSync } from "node:fs";
import { defineConfig } from "tsdown";
import manifest from "./package.json" with { type: "json" };

// The doors of package.json are the one list of entries; a door whose room is not built yet is left out.
const doors = Object.values(manifest.exports).flatMap((door) =>
  typeof door === "string" ? [] : door.default,
);
const names = [...doors, "./dist/cli/main.js"].map((file) => file.replace(/^\.\/dist\/|\.js$/g, ""));

export default defineConfig({
  entry: Object.fromEntries(
    names.map((name) => [name, `src/${name}.ts`]).filter(([, source]) => existsSync(source!)),
  ),
  format: "esm",
  dts: true,
  platform: "node",
  target: "node22",
  fixedExtension: false,
});
