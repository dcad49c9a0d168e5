import type { Outcome } from "../text/outcome.ts";
import type { ForgeHost, ForgeKind, HostOptions } from "./forge.ts";
import { openGitHub } from "./github.ts";
import { openGitLab } from "./gitlab.ts";

export function openForge(kind: ForgeKind, options: HostOptions): Outcome<ForgeHost> {
  return kind === "github" ? openGitHub(options) : openGitLab(options);
}
