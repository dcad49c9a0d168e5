import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export type Call = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
export type Answer = { readonly isRefused: boolean; readonly text: string };

/** A folder with a fresh `suture mcp` over it, asked as a client asks. The person behind it consents to every file. */
export class McpServer implements AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), "suture-bench-mcp-"));
  readonly #client = new Client({ name: "bench", version: "1" }, { capabilities: { elicitation: {} } });

  async start(): Promise<void> {
    const program = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
    const args = [program, "mcp", "--root", this.root];
    this.#client.setRequestHandler("elicitation/create", async () => ({
      action: "accept",
      content: { allow: "file" },
    }));
    await this.#client.connect(
      new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }),
    );
  }

  async call({ tool, input }: Call): Promise<Answer> {
    const { content, isError } = await this.#client.callTool({ name: tool, arguments: input });
    const text = content.map((part) => ("text" in part ? part.text : "")).join("\n");
    return { isRefused: isError === true, text };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
