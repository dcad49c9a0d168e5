import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessIdentity } from "./files.ts";

let own: ProcessIdentity | undefined;

/** Who this process is. Parts that the platform does not tell are empty, and prove nothing. */
export function processIdentity(): ProcessIdentity {
  own ??= {
    host: [read("/etc/machine-id"), hostname()].join(" ").trim(),
    boot: read("/proc/sys/kernel/random/boot_id"),
    namespace: readNamespace(),
    pid: process.pid,
    started: startOf(process.pid)?.started ?? "",
  };
  return own;
}

/**
 * Whether a process is proven to be gone: same host, and either the machine has started anew since, or in the same
 * namespace nothing has its number, or what has it started at another moment. No clock is asked.
 */
export function isDead(other: ProcessIdentity, self: ProcessIdentity): boolean {
  if (other.host !== self.host || self.host === "") return false;
  if (other.boot !== self.boot) return other.boot !== "" && self.boot !== "";
  if (other.namespace !== self.namespace) return false;
  if (isGone(other.pid)) return true;
  const found = startOf(other.pid);
  if (!found) return false;
  return found.ended || (other.started !== "" && found.started !== other.started);
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function startOf(pid: number): { started: string; ended: boolean } | null {
  const stat = read(`/proc/${pid}/stat`);
  // The name of the program may hold spaces and parentheses; what follows the last one may not.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const started = fields[19];
  return started ? { started, ended: fields[0] === "Z" || fields[0] === "X" } : null;
}

function readNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
