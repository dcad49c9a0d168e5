import { type Dir, type Files, FilesError, mutating, type OpenFile } from "../src/workspace/files/files.ts";

/** One call of the port, with its path relative to the root. */
export type Call = {
  readonly name: keyof Files;
  readonly path: string;
  /** The second path of a rename or link. */
  readonly to?: string;
  /** The bytes of a write. */
  readonly bytes?: Uint8Array;
  readonly handle: Dir | OpenFile;
};

/** Performs the call, or replaces it. */
export type Around = (call: Call, proceed: () => Promise<unknown>) => Promise<unknown>;

/** Thrown by the calls of a process that has ended. */
export class ProcessEnded extends Error {}

const opening = new Set<keyof Files>(["openRoot", "openDir", "openRead", "create", "openWrite"]);
const immediate = new Set<keyof Files>(["user", "umask", "self", "isDead", "randomId", "now", "sleep"]);

/** Wraps a port: every call goes through `around`. Handles are those of the inner port. */
export function interpose(inner: Files, around: Around): Files {
  const paths = new WeakMap<object, string>();
  const below = (dir: unknown, name: unknown): string => {
    const parent = paths.get(dir as object) ?? "";
    return typeof name !== "string" ? parent : parent === "" ? name : `${parent}/${name}`;
  };
  const describe = (name: keyof Files, args: readonly unknown[]): Call => ({
    name,
    path: name === "openRoot" ? "" : below(args[0], args[1]),
    ...(name === "rename" || name === "link" ? { to: below(args[2], args[3]) } : {}),
    ...(name === "write" ? { bytes: args[1] as Uint8Array } : {}),
    handle: args[0] as Dir | OpenFile,
  });
  const call = async (name: keyof Files, args: unknown[]): Promise<unknown> => {
    const described = describe(name, args);
    const act = inner[name] as (...args: unknown[]) => Promise<unknown>;
    const result = await around(described, () => act(...args));
    if (opening.has(name)) paths.set(result as object, described.path);
    return result;
  };
  return Object.fromEntries(
    (Object.keys(inner) as (keyof Files)[]).map((name) => [
      name,
      immediate.has(name) ? inner[name] : (...args: unknown[]) => call(name, args),
    ]),
  ) as Files;
}

export function isMutating({ name }: Call): boolean {
  return mutating.includes(name);
}

/** Calls `look` before every operation that changes the disk, counted from 0. */
export function watch(inner: Files, look: (index: number, call: Call) => void): Files {
  let index = 0;
  return interpose(inner, (call, proceed) => {
    if (isMutating(call)) look(index++, call);
    return proceed();
  });
}

/** A process that ends before its mutating operation number `index`. Later calls do nothing. */
export function endBefore(inner: Files, index: number): Files {
  let at = 0;
  let ended = false;
  return interpose(inner, async (call, proceed) => {
    if (isMutating(call) && at++ === index) ended = true;
    if (ended) throw new ProcessEnded(`before ${call.name} ${call.path}`);
    const result = await proceed();
    if (ended) throw new ProcessEnded("the result came after the end");
    return result;
  });
}

export type Failure = { readonly index: number; readonly code: string; readonly forever: boolean };

/**
 * Fails an operation, once or from there on; `index` counts all operations. As in real kernels, a failed flush is lost: a
 * later flush of the same file reports success, but its data is not on the disk unless it is written again.
 */
export function failing(
  inner: Files,
  { index, code, forever }: Failure,
): { files: Files; failed(): Call | null } {
  let at = 0;
  let failed: Call | null = null;
  const poisoned = new Set<string>();
  const identity = async ({ handle }: Call): Promise<string> => (await inner.statOpen(handle)).identity;
  const files = interpose(inner, async (call, proceed) => {
    const number = at++;
    if (number === index || (forever && number > index)) {
      failed ??= call;
      if (call.name === "flush" || call.name === "flushDir") poisoned.add(await identity(call));
      throw new FilesError(code, call.name, call.path);
    }
    if (poisoned.size === 0) return proceed();
    if (call.name === "write") poisoned.delete(await identity(call));
    const believed = call.name === "flush" && poisoned.has(await identity(call));
    return believed ? undefined : proceed();
  });
  return { files, failed: () => failed };
}

/** Writes at most a few bytes at a time. */
export function shortened(inner: Files, bytes: number): Files {
  return { ...inner, write: (file, all, position) => inner.write(file, all.subarray(0, bytes), position) };
}
