import type { CheckReport } from "../../docs/check/report.ts";
import { printCodeQuality } from "./codequality.ts";
import { printAnnotations } from "./github.ts";
import { printJunit } from "./junit.ts";
import { printMarkdown } from "./markdown.ts";
import { printRdjsonl } from "./rdjsonl.ts";
import { printSarif } from "./sarif.ts";

/** A report for another program: what it is for, and its text. */
export type ReportFormat = {
  readonly name: string;
  readonly text: string;
  readonly print: (report: CheckReport, version: string) => string;
};

/** Every format of `suture check`, by its option. */
export const formats: readonly ReportFormat[] = [
  { name: "sarif", text: "print SARIF for code scanning", print: printSarif },
  { name: "github", text: "print GitHub annotations", print: printAnnotations },
  { name: "markdown", text: "print Markdown for a pull request", print: printMarkdown },
  { name: "rdjsonl", text: "print diagnostics for reviewdog, one a line", print: printRdjsonl },
  { name: "codequality", text: "print a code quality report for GitLab", print: printCodeQuality },
  { name: "junit", text: "print JUnit XML", print: printJunit },
];
