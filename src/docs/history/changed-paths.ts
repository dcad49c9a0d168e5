import type { DriftInput } from "../../drift/change/change.ts";
import type { RawChange } from "../../workspace/git/git.ts";

/** The paths that the change removed and added, pictures and binaries included. */
export function changedPaths(changes: readonly RawChange[]): NonNullable<DriftInput["paths"]> {
  const files = changes.filter(({ kind }) => kind === "file" || kind === "link");
  return {
    removed: files.flatMap(({ path, status, before }) =>
      status === "deleted" ? [{ path, id: before }] : [],
    ),
    added: files.flatMap(({ path, status, after }) => (status === "added" ? [{ path, id: after }] : [])),
  };
}
