import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import { printPlanDiff } from "../text/diff/diff.ts";
import { entryLine } from "../tools/history.ts";
import type { Context } from "../tools/tool.ts";

const pageLength = 50;

/** Entries of the journal, each as JSON, and as the diff it made. */
export function offerResources(server: Server, place: () => Context): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    const { reader } = place();
    const before = params?.cursor;
    if (before !== undefined && !(await reader.entry(before)).ok)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor");
    const entries = await reader.history({ limit: pageLength, ...(before === undefined ? {} : { before }) });
    const last = entries.length === pageLength ? entries.at(-1) : undefined;
    return {
      resources: entries.map((entry) => ({
        uri: `suture://entry/${entry.id}`,
        name: entry.id,
        title: entryLine(entry),
        mimeType: "application/json",
      })),
      ...(last ? { nextCursor: last.id } : {}),
    };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: "suture://entry/{id}",
        name: "entry",
        title: "An entry of the journal",
        mimeType: "application/json",
      },
      {
        uriTemplate: "suture://entry/{id}/diff",
        name: "entry-diff",
        title: "The diff of an entry",
        mimeType: "text/x-diff",
      },
    ],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const [, id, diff] = /^suture:\/\/entry\/([A-Za-z0-9_.-]{1,100})(\/diff)?$/.exec(uri) ?? [];
    const read = id === undefined ? undefined : await (diff ? readDiff(place(), id) : readEntry(place(), id));
    if (!read) throw new ResourceNotFoundError(uri.slice(0, 200));
    return { contents: [{ uri, ...read }] };
  });
}

type Content = { readonly mimeType: string; readonly text: string };

async function readEntry({ reader }: Context, id: string): Promise<Content | undefined> {
  const entry = await reader.entry(id);
  return entry.ok ? { mimeType: "application/json", text: JSON.stringify(entry.value, null, 2) } : undefined;
}

async function readDiff({ reader }: Context, id: string): Promise<Content | undefined> {
  const plan = await reader.entryPlan(id);
  return plan.ok ? { mimeType: "text/x-diff", text: printPlanDiff(plan.value) } : undefined;
}
