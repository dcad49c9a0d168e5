import type { Assets } from "../../http/assets.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { printSingleFile } from "../single-file.ts";
import { readHistory } from "./history.ts";
import type { ReviewSession } from "./review-session.ts";
import type { Exported, ItemView } from "./view.ts";

/** Collects the data of an exported page. */
export async function collectExport(
  session: ReviewSession,
  reader: Reader,
  time: string,
): Promise<Outcome<Exported>> {
  const run = await session.run();
  const views: ItemView[] = [];
  for (const { key } of run.items) {
    const view = await session.view(key, { whole: true });
    if (!view.ok) return view;
    views.push({ ...view.value, hash: null });
  }
  const { roots: _local, ...shown } = run;
  return accept({ run: shown, views, history: await readHistory(reader, { limit: 500 }), time });
}

/** The page and a run in one file that makes no requests. */
export function printExport(assets: Assets, exported: Exported): string {
  return printSingleFile(assets, { page: "review", title: "Suture review", data: exported });
}
