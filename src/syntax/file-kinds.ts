import { isDocumentPath } from "./formats/registry.ts";
import { extensionOf, LANGUAGES } from "./languages/registry.ts";

/** Source code, by its ending. A script without an ending is not recognized by its name. */
export function isSourcePath(path: string): boolean {
  return SOURCE.has(extensionOf(path));
}

/** Pictures, fonts, archives and programs: files without text. */
export function isBinaryPath(path: string): boolean {
  return BINARY.has(extensionOf(path));
}

/** Files that a tool wrote for itself: lock files, source maps, snapshots, minified scripts, installed packages. */
export function isToolOutputPath(path: string): boolean {
  return TOOL_OUTPUT.has(extensionOf(path)) || TOOL_OUTPUT_PATH.test(path);
}

/** Text that people write and documents may describe, other than documents. */
export function isCodePath(path: string): boolean {
  return !isDocumentPath(path) && isWrittenText(path);
}

/** Text that people write. */
export function isWrittenText(path: string): boolean {
  const extension = extensionOf(path);
  return !BINARY.has(extension) && !TOOL_OUTPUT.has(extension) && !TOOL_OUTPUT_PATH.test(path);
}

const SOURCE: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ extensions }) => extensions));

const BINARY: ReadonlySet<string> = new Set(
  [
    "png jpg jpeg gif svg ico webp avif",
    "woff woff2 ttf eot",
    "pdf zip gz tgz bz2 xz jar",
    "mp3 mp4 webm",
    "wasm bin exe dll so dylib class pyc",
  ].flatMap((endings) => endings.split(" ")),
);

const TOOL_OUTPUT: ReadonlySet<string> = new Set(["lock", "map", "snap"]);

const TOOL_OUTPUT_PATH =
  /\.min\.(?:js|css)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|go\.sum)$|(?:^|\/)(?:node_modules|vendor)\//i;
