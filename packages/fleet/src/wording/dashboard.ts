import { code, prose } from "suture/service";

/** A passage that a dashboard lists. */
export type DashboardPassage = {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly tier: string;
  readonly message: string;
};

export type DashboardContents = {
  /** Their edits wait for an approval. */
  readonly waiting: readonly DashboardPassage[];
  /** The addresses of our open pull requests. */
  readonly requests: readonly string[];
  /** False passages without an edit that may be published. */
  readonly left: readonly DashboardPassage[];
  readonly dismissed: readonly DashboardPassage[];
};

export const dashboardTitle = "Documentation that no longer matches the code";

/** The text of a dashboard. Each box has a note that explains it. */
export function printDashboard({ waiting, requests, left, dismissed }: DashboardContents): string {
  const isEmpty = [waiting, requests, left, dismissed].every((list) => list.length === 0);
  return [
    "Suture keeps this issue up to date. Tick a box to decide; the next run follows it.",
    ...(isEmpty ? ["", "No passage is known to be false."] : []),
    ...section("Tick to publish the edit", waiting.map(boxFor("approve"))),
    ...section(
      "Open pull requests",
      requests.map((url) => `- ${url}`),
    ),
    ...section("No longer true. Tick to dismiss", left.map(boxFor("dismiss"))),
    ...section("Dismissed. Tick to propose it again", dismissed.map(boxFor("restore"))),
    "",
    "- [ ] <!-- suture:recheck --> Check this repository again",
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines];
}

const longestMessage = 500;

function boxFor(verb: string): (passage: DashboardPassage) => string {
  return ({ id, path, startLine, tier, message }) =>
    `- [ ] <!-- suture:${verb} ${id} --> ${code(`${path}:${startLine}`)} ${prose(message.slice(0, longestMessage))} (${tier})`;
}
