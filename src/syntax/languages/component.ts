import { onlyScripts } from "../source/component-scripts.ts";
import { typescript } from "./javascript/javascript.ts";
import type { ParsedLanguage } from "./language.ts";

/** Components of Vue and Svelte: pages with scripts in them, which are read as TypeScript. */
export const component: ParsedLanguage = {
  ...typescript,
  extensions: ["vue", "svelte"],
  code: onlyScripts,
};
