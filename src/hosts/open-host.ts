import type { Outcome } from "../text/model/outcome.ts";
import { openGitHub } from "./github/github.ts";
import { openGitLab } from "./gitlab/gitlab.ts";
import type { ForgeHost, ForgeKind, HostOptions } from "./host.ts";

export function openForge(kind: ForgeKind, options: HostOptions): Outcome<ForgeHost> {
  return kind === "github" ? openGitHub(options) : openGitLab(options);
}
