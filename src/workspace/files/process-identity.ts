import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessIdentity } from "./files.ts";

let own: ProcessIdentity | undefined;

/** The identity of this process. Fields that the platform does not provide are empty, and prove nothing. */
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
 * Whether a process is proven dead: it ran on this host, and either the machine has rebooted since, or no process in
 * the same namespace has its pid, or the process with that pid started at another time. No clock is read.
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
    // EPERM: the process runs as another user.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function startOf(pid: number): { started: string; ended: boolean } | null {
  const stat = read(`/proc/${pid}/stat`);
  // The program name may contain spaces and parentheses; the fields after the last parenthesis may not.
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
