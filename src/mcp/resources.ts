import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import { printPlanDiff } from "../text/diff/diff.ts";
import { defined } from "../text/model/defined.ts";
import { type Outcome, RefusalError } from "../text/model/outcome.ts";
import type { Context } from "../tools/tool.ts";
import { entryLine } from "../tools/verbs/history.ts";
import { refused, textOf } from "../wording/report.ts";

const pageLength = 50;

/** Entries of the journal, each as JSON and as a diff. */
export function registerResources(server: Server, contextOf: () => Context): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    const { reader } = contextOf();
    const before = params?.cursor;
    if (before !== undefined && valueIfFound(await reader.entry(before)) === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor");
    const query = { limit: pageLength, ...defined({ before }) };
    const entries = await reader.history(query).catch(throwRefusal);
    const last = entries.length === pageLength ? entries.at(-1) : undefined;
    return {
      resources: entries.map((entry) => ({
        uri: `suture://entry/${entry.id}`,
        name: entry.id,
        title: entryLine(entry),
        mimeType: "application/json",
      })),
      ...defined({ nextCursor: last ? last.id : undefined }),
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
    const read =
      id === undefined ? undefined : await (diff ? readDiff(contextOf(), id) : readEntry(contextOf(), id));
    if (!read) throw new ResourceNotFoundError(uri.slice(0, 200));
    return { contents: [{ uri, ...read }] };
  });
}

type ResourceContent = { readonly mimeType: string; readonly text: string };

async function readEntry({ reader }: Context, id: string): Promise<ResourceContent | undefined> {
  const entry = valueIfFound(await reader.entry(id));
  return entry && { mimeType: "application/json", text: JSON.stringify(entry, null, 2) };
}

async function readDiff({ reader }: Context, id: string): Promise<ResourceContent | undefined> {
  const plan = valueIfFound(await reader.entryPlan(id));
  return plan && { mimeType: "text/x-diff", text: printPlanDiff(plan) };
}

/** The value, if there is one. A closed workspace is an error; an unknown entry is not. */
function valueIfFound<T>(outcome: Outcome<T>): T | undefined {
  if (outcome.ok) return outcome.value;
  return outcome.refusal.code === "closed" ? throwRefusal(new RefusalError(outcome.refusal)) : undefined;
}

function throwRefusal(error: unknown): never {
  if (!(error instanceof RefusalError)) throw error;
  const words = textOf(refused(error.refusal, { tool: "resources", wording: "files" }));
  throw new ProtocolError(ProtocolErrorCode.InternalError, words);
}
