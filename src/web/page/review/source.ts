import type {
  BatchPreview,
  DecisionResult,
  EntryView,
  Exported,
  ItemSummary,
  ItemView,
  Progress,
  RunView,
} from "../../review/view.ts";
import { type ApiResponse, type Connection, openConnection, takeToken } from "../connection.ts";

/** The result of a decision: done, not written because the text has changed, or refused. */
export type Reply<T> =
  | { readonly is: "done"; readonly value: T }
  | { readonly is: "stale"; readonly view: ItemView | null }
  | { readonly is: "refused"; readonly why: string };

/** The source of the run: a server that can write, or the data in an exported page. */
export type RunSource = {
  readonly live: boolean;
  /** When an exported page was made. */
  readonly made: string | null;
  run(): Promise<RunView | { readonly progress: Progress } | { readonly error: string }>;
  view(key: number, whole: boolean): Promise<ItemView | null>;
  history(before?: string): Promise<readonly EntryView[]>;
  decide(what: string, body: unknown): Promise<Reply<DecisionResult>>;
  previewBatch(keys: readonly number[]): Promise<Reply<BatchPreview>>;
  listen(onLines: (lines: readonly ItemSummary[] | null) => void, onState: (on: boolean) => void): () => void;
};

/** The run of this exported page, or of the server; `null` if there is neither. */
export function openSource(): RunSource | null {
  const data = document.getElementById("run");
  if (data) return exportedSource(JSON.parse(data.textContent ?? "") as Exported);
  const token = takeToken();
  return token === null ? null : liveSource(openConnection(token));
}

function exportedSource({ run, views, history, time }: Exported): RunSource {
  const refused = async (): Promise<Reply<never>> => ({ is: "refused", why: "This is a report." });
  return {
    live: false,
    made: time,
    run: async () => run,
    view: async (key) => views[key] ?? null,
    history: async (before) => (before === undefined ? history : []),
    decide: refused,
    previewBatch: refused,
    listen: () => () => undefined,
  };
}

function liveSource(connection: Connection): RunSource {
  return {
    live: true,
    made: null,
    run: async () => {
      const { status, value } = await connection.get<RunView>("/api/run");
      if (status === 200 || status === 202) return value;
      return { error: (value as { error?: string } | undefined)?.error ?? whyNot(status) };
    },
    view: async (key, whole) => {
      const { status, value } = await connection.get<ItemView>(`/api/items/${key}${whole ? "/whole" : ""}`);
      return status === 200 ? value : null;
    },
    history: async (before) => {
      const path = before === undefined ? "/api/history" : `/api/history/before/${before}`;
      const { status, value } = await connection.get<EntryView[]>(path);
      return status === 200 ? value : [];
    },
    decide: async (what, body) => replyOf(await connection.post<DecisionResult>(`/api/${what}`, body)),
    previewBatch: async (keys) => replyOf(await connection.post<BatchPreview>("/api/together", { keys })),
    listen: (onLines, onState) =>
      connection.listen(
        (event) => onLines((event as { lines?: readonly ItemSummary[] }).lines ?? null),
        onState,
      ),
  };
}

function replyOf<T>({ status, value }: ApiResponse<T>): Reply<T> {
  if (status === 200) return { is: "done", value };
  if (status === 409) return { is: "stale", view: (value as { view: ItemView | null }).view };
  return { is: "refused", why: (value as { error?: string } | undefined)?.error ?? whyNot(status) };
}

function whyNot(status: number): string {
  if (status === 0) return "The server cannot be reached. Start `suture review` again.";
  if (status === 401) return "This page belongs to a review that has ended. Start `suture review` again.";
  return `The server answered ${status}.`;
}
