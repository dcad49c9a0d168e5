import type { PackageSource } from "../../hosts/package-source.ts";
import { type HostKind, hostKinds, hosts } from "../../hosts/registry.ts";
import type { Edit } from "../../text/model/edit.ts";
import type { Survey } from "./survey.ts";

export const ciHosts = [...hostKinds, "none"] as const;

export type CiHost = HostKind | "none";

/** The CI host whose files the project already has. */
export function findCiHost({ paths }: Survey): CiHost {
  return hostKinds.find((kind) => [...paths].some(hosts[kind].ciTemplate.isUsedBy)) ?? "none";
}

export type CiPlan = { readonly edit: Edit | null; readonly note?: string };

/** A new file that checks each change. If an existing file mentions Suture, there is nothing to add. */
export async function planCi(survey: Survey, host: CiHost, source: PackageSource): Promise<CiPlan> {
  if (host === "none") return { edit: null };
  const { isConfiguration, create } = hosts[host].ciTemplate;
  for (const path of [...survey.paths].filter(isConfiguration))
    if (/\bsuture\b/.test((await survey.read(path)) ?? "")) return { edit: null };
  const { path, text, note } = create(survey.paths, source);
  const reason = "check the documentation of each change";
  const edit: Edit = { path, text, reason, evidence: [], target: { file: "create" } };
  return note === undefined ? { edit } : { edit, note };
}
