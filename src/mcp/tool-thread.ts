import type { CallToolResult } from "@modelcontextprotocol/server";
import { ProgramThread, toJsonSafe } from "../docs/session/program-thread.ts";
import type { ContextOptions } from "../tools/context.ts";
import { serverText } from "../wording/mcp.ts";
import { answerOf } from "./answer-size.ts";
import type { ClientScope } from "./scope.ts";

/** The tools that judge a whole project. The files of the project decide how long they take. */
export const threadedTools: ReadonlySet<string> = new Set(["find_drift"]);

export type ToolRequest = {
  readonly options: ContextOptions;
  readonly scope: ClientScope;
  readonly name: string;
  readonly input: unknown;
};

const programs = [
  "./tool-program.ts",
  "./mcp-check-program.cjs",
  "./cli/mcp-check-program.cjs",
  "../cli/mcp-check-program.cjs",
].map((path) => new URL(path, import.meta.url));

const longest = 120;

/** Runs the tools that check in a thread of their own. */
export class ToolThread {
  readonly #options: ContextOptions;
  readonly #seconds: number;
  readonly #thread: ProgramThread<ToolRequest, CallToolResult>;

  constructor(options: ContextOptions, seconds = longest) {
    this.#options = toJsonSafe(options);
    this.#seconds = seconds;
    this.#thread = new ProgramThread({ programs, seconds });
  }

  get isThere(): boolean {
    return this.#thread.isThere;
  }

  async call(
    request: Omit<ToolRequest, "options">,
    call: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<CallToolResult> {
    const answer = await this.#thread.call({ ...request, options: this.#options }, call);
    return answer ?? tookTooLong(request.name, this.#seconds);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

function tookTooLong(tool: string, seconds: number): CallToolResult {
  return answerOf({
    success: false,
    output: "",
    tool,
    error: serverText.tookTooLong(tool, seconds),
    code: "unavailable",
  });
}
