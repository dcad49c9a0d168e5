import {
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ConsentAnswer, KnownConsents } from "../tools/session-memory.ts";
import type { Context } from "../tools/tool.ts";
import { serverText } from "../wording/mcp.ts";
import type { Concern } from "../workspace/paths/guarded-names.ts";

type ConsentQuestion = { readonly path: string; readonly concern: Concern };

/**
 * Asks the person behind a client about sensitive files, once for each file or kind of file and session. Since the 2026
 * protocol a server cannot ask during a call: the call is refused, its questions go back, and the client calls again.
 */
export class ConsentRequest {
  readonly #server: Server;
  readonly #request: ServerContext;
  readonly #known: KnownConsents;
  readonly #open: ConsentQuestion[] = [];

  constructor(server: Server, request: ServerContext, known: KnownConsents) {
    this.#server = server;
    this.#request = request;
    this.#known = known;
  }

  readonly ask: NonNullable<Context["consent"]> = async (path, concern) => {
    const known = this.#known.find(path, concern);
    if (known !== undefined) return known;
    const answer = await this.#answerTo({ path, concern });
    if (answer === undefined) return false;
    this.#known.note(path, concern, answer);
    return answer !== "no";
  };

  /** The questions that the client must answer before it calls again; null where there are none. */
  get required(): InputRequiredResult | null {
    if (this.#open.length === 0) return null;
    const asked = this.#open.map((each) => [keyOf(each), inputRequired.elicit(formOf(each))] as const);
    return inputRequired({ inputRequests: Object.fromEntries(asked) });
  }

  /** The answer; undefined where there is none yet. */
  async #answerTo(question: ConsentQuestion): Promise<ConsentAnswer | undefined> {
    const { envelope, inputResponses } = this.#request.mcpReq;
    if (envelope === undefined) {
      // A lost dialog is no answer: the call is refused, and the next one asks again.
      const answered = await this.#server.elicitInput(formOf(question)).catch(() => undefined);
      return answered && readAnswer(answered);
    }
    const answered = inputResponses?.[keyOf(question)];
    if (answered !== undefined) return readAnswer(answered);
    this.#open.push(question);
    return undefined;
  }
}

function keyOf({ path }: ConsentQuestion): string {
  return `consent:${path}`;
}

function formOf({ path, concern }: ConsentQuestion) {
  const answers = { file: `Only ${path}`, kind: serverText.everyFile(concern), no: "No" };
  return {
    message: serverText.mayWrite(path, concern),
    requestedSchema: {
      type: "object" as const,
      properties: {
        allow: {
          type: "string" as const,
          title: "Allow",
          enum: Object.keys(answers),
          enumNames: Object.values(answers),
        },
      },
      required: ["allow"],
    },
  };
}

/** Whatever is not a clear yes is a no. */
function readAnswer(response: unknown): ConsentAnswer {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: { allow?: unknown } };
  const allow = content?.allow;
  return action === "accept" && (allow === "file" || allow === "kind") ? allow : "no";
}
