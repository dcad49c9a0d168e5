import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { docsWords } from "../wording/drift.ts";
import { placeIn } from "../workspace/paths/place-in.ts";
import type { Project } from "./project.ts";

/** The same project, with only the pages of these paths. They count from the folder `from`, as a person types them. */
export function onlyPages(project: Project, paths: readonly string[], from: string): Outcome<Project> {
  if (paths.length === 0) return accept(project);
  const { root, git } = project.docs ?? project;
  const only: string[] = [];
  for (const path of paths) {
    const found = git?.isBare ? path : placeIn(root, { path, from });
    if (found === null) return refuse({ code: "malformed", what: docsWords.noSuchPath(path) });
    only.push(found);
  }
  return accept({ ...project, only });
}

/** Whether a path is one of these, or below one of these. */
export function isAmong(path: string, only: readonly string[]): boolean {
  return only.some(
    (one) => one === "" || path === one || path.startsWith(one.endsWith("/") ? one : `${one}/`),
  );
}
