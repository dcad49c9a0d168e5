import { plural } from "./sentences.ts";

/* Sentences that the MCP server says to clients and their models. */

export const samplingText = {
  noAnswer: (model: string): string => `${model} gave no answer`,
};

export const serverText = {
  outsideScope: (path: string): string => `the client has opened no folder that holds ${path}`,
  failed: (tool: string): string =>
    `${tool} failed inside Suture. Nothing is known to be wrong with the call; see the server's log.`,
  mayWrite: (path: string, concern: string): string =>
    `May ${path} be changed? It is a file that can cause programs to run or settings to change (${concern}).`,
  everyFile: (concern: string): string => `Every file of this kind (${concern}) in this session`,
  tookTooLong: (tool: string, seconds: number): string =>
    `${tool} took more than ${seconds} seconds and was stopped. Ask for fewer commits with base, or run suture check.`,
  clientLeft: "the client did not come back",
  tooLarge: (bytes: number): string => `a message is larger than ${bytes} bytes`,
};

type FindingLine = {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly message: string;
};

/** The answer of `fix_docs`: a count, then one line for each finding, with the model's explanation if it gave one. */
export function fixDocsSummary(result: {
  readonly fixed: readonly FindingLine[];
  readonly left: readonly FindingLine[];
  readonly explanations: ReadonlyMap<string, string>;
}): string {
  const line = ({ id, path, startLine, message }: FindingLine): string => {
    const explanation = result.explanations.get(id);
    return `${path}:${startLine} ${message}${explanation ? ` (${explanation})` : ""}`;
  };
  return [
    `${plural(result.fixed.length, "passage")} fixed, ${result.left.length} left.`,
    ...result.fixed.map((finding) => `✓ ${line(finding)}`),
    ...result.left.map((finding) => `- ${line(finding)}`),
  ].join("\n");
}
