import { type Dir, type Files, FilesError, mutating, type OpenFile } from "./files.ts";

/** One operation that changes the disk, with its paths relative to the root. */
export type Operation = { readonly name: keyof Files; readonly path: string; readonly to?: string };

/** How one mutating operation fails. */
export type Fault =
  | { readonly fault: "error"; readonly code: string }
  /** Only this many bytes are written. */
  | { readonly fault: "short"; readonly bytes: number }
  /** The process ends before the operation. */
  | { readonly fault: "crash" };

/** Called before each mutating operation, counted from 0; `null` lets the operation proceed. */
export type Faults = (index: number, operation: Operation) => Fault | null;

/** Thrown by every call of a crashed process, so that a simulation can distinguish it from an I/O error. */
export class Crash extends Error {}

export type FaultFiles = { readonly files: Files; readonly trace: readonly Operation[] };

type Wrapped = { readonly inner: Dir | OpenFile; readonly path: string; closed: boolean };

/** Wraps a port: records every mutating operation and injects the given faults. */
export function faultFiles(inner: Files, faults: Faults = () => null): FaultFiles {
  const trace: Operation[] = [];
  let crashed = false;

  const inject = (operation: Operation): Fault | null => {
    if (crashed) throw new Crash("the process has ended");
    trace.push(operation);
    const fault = faults(trace.length - 1, operation);
    if (fault?.fault === "error") throw new FilesError(fault.code, operation.name, operation.path);
    if (fault?.fault !== "crash") return fault;
    crashed = true;
    throw new Crash(`before ${operation.name} ${operation.path}`);
  };

  const call = async (name: keyof Files, args: unknown[]): Promise<unknown> => {
    if (crashed) throw new Crash("the process has ended");
    if (name === "close") (args[0] as Wrapped).closed = true;
    else refuseClosed(name, args);
    const fault = mutating.includes(name) ? inject(describe(name, args)) : null;
    if (fault?.fault === "short") args[1] = (args[1] as Uint8Array).subarray(0, fault.bytes);
    const act = inner[name] as (...args: unknown[]) => unknown;
    const result = await act(...args.map((arg) => (isWrapped(arg) ? arg.inner : arg)));
    // A crashed process never receives a late result.
    if (crashed) throw new Crash("the process has ended");
    return opens.has(name) ? { inner: result, path: pathOf(name, args), closed: false } : result;
  };

  const immediate = new Set<keyof Files>(["user", "umask", "self", "isDead", "randomId", "now"]);
  const files = Object.fromEntries(
    (Object.keys(inner) as (keyof Files)[]).map((name) => [
      name,
      immediate.has(name) ? inner[name] : (...args: unknown[]) => call(name, args),
    ]),
  ) as Files;
  return { files, trace };
}

/** Fails operation `index` with `code`: that one, or every one from there on. */
export function failAt(index: number, code: string, { forever }: { forever: boolean }): Faults {
  return (at) => (at === index || (forever && at > index) ? { fault: "error", code } : null);
}

export function crashAt(index: number): Faults {
  return (at) => (at === index ? { fault: "crash" } : null);
}

/** Writes at most a few bytes at a time. */
export function shortWrites(bytes: number): Faults {
  return (_at, { name }) => (name === "write" ? { fault: "short", bytes } : null);
}

const opens = new Set<keyof Files>(["openRoot", "openDir", "openRead", "create", "openWrite"]);

/** An operation on a closed handle does not happen, so it is not counted and gets no fault. */
function refuseClosed(name: keyof Files, args: readonly unknown[]): void {
  const closed = args.filter(isWrapped).find((handle) => handle.closed);
  if (closed) throw new FilesError("EBADF", name, closed.path);
}

function describe(name: keyof Files, args: readonly unknown[]): Operation {
  const path = pathOf(name, args);
  return name === "rename" || name === "link"
    ? { name, path, to: join(args[2] as Wrapped, args[3] as string) }
    : { name, path };
}

function pathOf(name: keyof Files, args: readonly unknown[]): string {
  if (name === "openRoot") return "";
  return typeof args[1] === "string" ? join(args[0] as Wrapped, args[1]) : (args[0] as Wrapped).path;
}

function join({ path }: Wrapped, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}

function isWrapped(value: unknown): value is Wrapped {
  return typeof value === "object" && value !== null && "inner" in value;
}
