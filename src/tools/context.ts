import { accept, type Outcome } from "../text/outcome.ts";
import { openReader, openWorkspace, type WorkspaceOptions } from "../workspace/workspace.ts";
import { allows, type Context, type Mode, type Profile } from "./tool.ts";

export type ContextOptions = WorkspaceOptions & {
  readonly root: string;
  readonly profile?: Profile | undefined;
  readonly mode?: Mode | undefined;
  readonly author?: string | undefined;
  readonly task?: string | undefined;
  readonly run?: string | undefined;
  readonly article?: string | undefined;
  readonly strict?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What tools stand in, over the files of a folder. A mode that may not write gets a reader and nothing else. */
export async function openContext(options: ContextOptions): Promise<Outcome<Context>> {
  const {
    root,
    profile = "files",
    mode,
    author = "person",
    task = "default",
    run,
    article,
    strict,
    force,
    signal,
    ...rest
  } = options;
  const shared = {
    profile,
    author,
    task,
    ...(mode === undefined ? {} : { mode }),
    ...(run === undefined ? {} : { run }),
    ...(article === undefined ? {} : { article }),
    ...(strict === undefined ? {} : { strict }),
    ...(force === undefined ? {} : { force }),
    ...(signal === undefined ? {} : { signal }),
  };
  const writes = allows(mode, "edit") || allows(mode, "create");
  if (!writes) {
    const reader = await openReader(root, rest);
    return reader.ok ? accept({ ...shared, reader: reader.value }) : reader;
  }
  const workspace = await openWorkspace(root, rest);
  return workspace.ok
    ? accept({ ...shared, reader: workspace.value, workspace: workspace.value })
    : workspace;
}
