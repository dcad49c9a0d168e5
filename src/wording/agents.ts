/* Sentences that agents, models and gates say to people. Sentences in prompts live with the prompts. */
import { plural } from "./sentences.ts";

export const modelText = {
  noModel: (howToName: string): string =>
    `no model is chosen. Pass --model provider:name, or set SUTURE_MODEL. ${howToName}`,
  howToName: (providers: readonly string[]): string =>
    `Write provider:name, with one of ${providers.join(", ")} as the provider.`,
  needsPackages: (names: readonly string[]): string =>
    `asking a model needs packages that are not installed; run \`npm install ${names.join(" ")}\``,
  notAModel: (text: string): string => `not a model: ${JSON.stringify(text)}`,
  needsKey: (provider: string, [variable]: readonly string[]): string =>
    `${provider} needs a key: set ${variable}`,
  needsAddress: (provider: string): string => `${provider} needs an address: set SUTURE_BASE_URL`,
  noEmbedding: (provider: string): string => `${provider} has no embedding models`,
  wrongForm: (model: string, why: string): string => `${model} did not answer in the form asked for: ${why}`,
  noTracing: "tracing was asked for, but @ai-sdk/otel is not installed; nothing is traced",
  noRoomFor: (model: string): string => `${model}: the cost ceiling leaves no room`,
  noAnswer: (model: string): string => `${model}: no answer`,
  onlyThought: (model: string, tokens: number): string =>
    `${model}: no usable answer: all ${tokens} output tokens were used before it answered (thinking counts); raise the limit with SUTURE_MAX_OUTPUT, or choose a model that thinks less`,
  unusable: {
    empty: (model: string): string =>
      `${model}: no usable answer: the answer is empty; choose another model, or look at the server's log`,
    unclosed: (model: string): string =>
      `${model}: no usable answer: it opens its thinking and never closes it, so no answer follows; choose another model, or turn its thinking off on the server`,
    stopped: (model: string): string =>
      `${model}: no usable answer: the provider stopped it before a word was said (a filter, a refusal or an error of the server); try again, or choose another model`,
  },
  providerDown: (lastFailure: string): string => `${lastFailure}; it is not asked again`,
  unknownPrice: (model: string): string => `a cost ceiling was set, but the price of ${model} is not known`,
  unknownPriceHint: 'Add it to "prices" in the user configuration: dollars for a million tokens in and out.',
  noRoom: (priceKnown: boolean): string =>
    priceKnown
      ? "the cost ceiling leaves no room for another call"
      : "a cost ceiling was set, but the price of the model is not known: add it to `prices` in the user configuration",
};

export const failureText = {
  retried: (failure: string, tries: number): string => `${failure} (${tries} tries)`,
  timeout: (limitMs: number | undefined): string =>
    limitMs === undefined
      ? "no answer in time"
      : `no answer in time (${limitMs / 1000} s); raise the limit with --timeout or SUTURE_TIMEOUT, or set SUTURE_STREAM=1 to count it from the last sign of life`,
  status: (code: number, message: string): string => `answered ${code}: ${message}`,
  invalid: "answered with something that is not a valid response",
  inBody: (message: string): string => `answered with an error: ${message}`,
};

export const agentText = {
  cancelled: "stopped before it was done",
  unfinished: {
    steps: "its steps ran out before it was done",
    cost: "the cost ceiling was reached before it was done",
    length:
      "its answer was cut at the output limit; raise the limit with SUTURE_MAX_OUTPUT, or choose a model that thinks less",
    stopped: "the provider stopped its answer",
  },
  unreadCall: (tool: string): string =>
    `no usable answer: it holds a call of \`${tool}\` that cannot be read; choose a model that calls tools`,
  wholePage: (tool: string): string =>
    `no usable answer: it holds the text of the page instead of calls of \`${tool}\`; choose a model that calls tools`,
  recordNotSaved: (why: string): string => `the audit record was not saved: ${why}`,
  inMemoryOnly: "a page in memory has no past and no state",
  onlyPage: (path: string): string => `only ${path} may be written here`,
  pageChanged: (objection: string): string => `the page changed while it was worked on, and now ${objection}`,
  pageGone: "the page is gone",
  keywordsOnly: (why: string): string => `sources are chosen by keywords alone: ${why}`,
  noUndo: "an agent takes nothing back; make an edit instead",
  notWritable: (path: string): string => `${path} is not one of the files this task may write`,
  refusedOnce: (details: readonly string[]): string =>
    `${details.join("; ")}. Send the edit again without that`,
  refusedAgain: (details: readonly string[]): string =>
    `${details.join("; ")}. This is left for a person now; do not send it again`,
  leftForPerson: (details: readonly string[]): string => `left for a person: ${details.join("; ")}`,
};

export const settingsText = {
  ownFile: "~/.config/suture/config.json ($XDG_CONFIG_HOME where it is set, %APPDATA%\\suture on Windows)",
  notPrivate: "the user configuration holds keys, and others on this machine can read it",
  notPrivateHint: "Make it private (chmod 600), or put the keys into the environment.",
  notJson: (why: string): string => `the user configuration is not JSON: ${why}`,
  invalid: (path: string, why: string): string =>
    `the user configuration is wrong at ${path || "its top"}: ${why}`,
  badUrl: (provider: string): string => `the base URL of ${provider} is not an http address`,
};

export const repositoryText = {
  noBase: (name: string | undefined): string =>
    name === undefined
      ? "there is no other branch and no earlier commit to compare with; pass --base"
      : `${repositoryText.noRevision(name)}; pass --base`,
  noRevision: (name: string): string => `no revision ${JSON.stringify(name)}`,
  noCommit: "the repository has no commit yet",
};

/** One line for each page that an agent finishes. */
export const progressText = {
  wrote: (path: string, dryRun = false): string => (dryRun ? `· Would write ${path}` : `✔ Wrote ${path}`),
  noUpdate: (path: string): string => `○ No update needed: ${path}`,
  notAllFixed: (
    path: string,
    failures: readonly { readonly lines: readonly number[]; readonly why: string }[],
  ): string =>
    [
      `✖ ${path}: not every passage could be fixed`,
      ...failures.map(({ lines, why }) => {
        const where = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(", ")}`;
        return `  ${where}: ${why}`;
      }),
    ].join("\n"),
  failed: (path: string, why: string): string => `✖ Failed ${path}: ${why}`,
  unfinished: (path: string, why: string): string => `✖ Unfinished ${path}: ${why}`,
  /** The text that a refused call wanted to replace. */
  wanted: (text: string): string => ` It wanted to replace "${text}".`,
};

/** The result for one passage that a model was asked about. */
export const fixText = {
  leftAsIs: (why: string): string => `left as it is: ${why}`,
  noReason: "the model gave no reason",
  reworded: (why: string): string => `reworded: ${why}`,
  added: (why: string): string => `added: ${why}`,
  noUsableAnswer: (model: string, why: string): string =>
    `no usable answer from ${model}: ${why}; try again, or choose a larger model`,
  noVerdict: "no line says KEEP, FIX or ADD for this notice",
  someVerdicts: "not every notice has a line that says KEEP, FIX or ADD",
  noSection: "it says FIX or ADD and holds no section between BEGIN SECTION and END SECTION",
  lostMark: "it leaves out a line that begins with (section; copy each of them to its place",
  sameSection: "it says FIX or ADD and leaves the section as it was",
  cut: "it was cut at the output limit; answer in fewer words, with the whole section between the marks",
  cutForPerson: "it was cut at the output limit (raise it with SUTURE_MAX_OUTPUT)",
  remembered: (why: string): string => `left as it is: ${why} (judged before)`,
  noPassages: "it names no passage and does not say NONE",
  refusedBy: (model: string, words: string): string =>
    `${model} refused to answer: ${JSON.stringify(words)}; choose another model for it, or leave it to a person`,
  askingSilent: "asking what a reader needs to know",
  missingHere: (what: string): string => `this page does not say yet: ${what}`,
};

export const documentationText = {
  mode: (path: string, mode: "surgical-update" | "full-generation"): string =>
    mode === "surgical-update"
      ? `↳ 🩹 Surgical Update Mode detected for ${path}`
      : `↳ full generation of ${path}`,
  noReview: (path: string, why: string): string => `the review of ${path} was left out: ${why}`,
  partial: (why: string): string => `not all of it was done: ${why}`,
  sourcesChanged: (sources: readonly string[]): string =>
    `${sources.join(", ")} changed since it was written`,
  planned: (pages: string): string => `✓ planned ${pages}`,
  planningFailed: "planning failed",
  purposeByPath: "what the path of the page says",
  purpose: ({
    title,
    lead,
    sections,
  }: {
    readonly title: string;
    readonly lead: string;
    readonly sections: readonly string[];
  }): string => {
    const opening = [title, lead].filter((part) => part !== "").join(": ");
    if (sections.length === 0) return opening;
    return `${opening === "" ? "" : `${opening} `}(its sections: ${sections.join(", ")})`;
  },
  stillPlanned: "an earlier run planned it and did not finish it",
  beyondLimit: "planned and not written: beyond --limit",
  unreadableLineage: (file: string): string => `.suture/${file} cannot be read, so it was not changed`,
  notAPage: (why: string): string => `the answer is not a page: ${why}`,
  empty: "it is empty",
  noHeading: "it does not begin with a heading",
  outsideFolder: (folder: string): string => `it is not inside ${folder}/`,
  notMarkdown: "it is not a Markdown page",
  unreadableReview: (why: string): string => `the review could not be read: ${why}`,
  cutShort: {
    length: "the page was cut off at the output limit; raise it with --max-tokens",
    steps: "the writer called tools instead of writing the page",
    cost: agentText.unfinished.cost,
    stopped: "the provider stopped the writer",
  },
};

export const goalText = {
  planned: (tasks: string): string => `✓ planned ${tasks}`,
  finished: (task: string, { isDone, what }: { readonly isDone: boolean; readonly what: string }): string =>
    `${isDone ? "✓" : "✗"} ${task}: ${what}`,
  dependencyFailed: "a task it waits for was not done",
  conflict: (paths: readonly string[], byHand: boolean): string =>
    `conflict in ${paths.join(", ")}: ${byHand ? "to be resolved by hand" : "skipped"}`,
  noChange: (details: readonly string[]): string =>
    details.length === 0 ? "it changed nothing" : `it changed nothing: ${details.join("; ")}`,
  callRefused: (tool: string, why: string): string => `${tool} was refused: ${why}`,
  lastWords: (words: string): string => `it said: ${words}`,
  noDelete: "a task edits files and deletes none",
  unparsable: (path: string, line: number, why: string): string =>
    `${path} would not parse at line ${line}: ${why}`,
  secondTask: (id: string): string => `a second task called ${JSON.stringify(id)} was left out`,
  otherMode: (task: string, mode: string, proposed: string): string =>
    `${task}: ${mode} instead of ${proposed}`,
  onlyLooked: (tasks: string): string =>
    `The plan wanted to write, but the goal asks only to look, so ${tasks} only looked. To have files changed, say what to change, or pass --mode modify.`,
  nothingWritten:
    "The goal asks for a change, but no task changed anything. Say which files to change, or pass --mode modify.",
  leftAlone: (task: string, paths: readonly string[]): string =>
    `${task}: the goal wants ${paths.join(", ")} left alone`,
  nothingToWrite: (task: string): string => `${task}: left out, because no other file was to be written`,
  pathsDropped: (task: string): string => `${task}: paths that leave the folder were dropped`,
  tooMany: (dropped: number, limit: number): string =>
    `${dropped} tasks over the limit of ${limit} were left out`,
  notAllowed: (command: readonly string[]): string =>
    `${JSON.stringify(command)} is not one of the allowed commands; to allow it, add it to "commands" in your own configuration file: ${settingsText.ownFile}`,
  moreOutput: (characters: number): string => `(${characters} more characters)`,
  timedOut: "it did not end in time",
  exitCode: (code: number): string => `exit code ${code}`,
  notRun: (why: string): string => `it could not be run: ${why}`,
};

export const impactText = {
  readOnly: "this run may not write",
  lastEditRefused: (why: string): string => `its last edit was refused: ${why}`,
  status: ({ status, error }: { readonly status: string; readonly error?: string }): string => {
    if (status === "updated") return error === undefined ? "✓ Updated" : `✓ Updated, ${error}`;
    if (status === "unchanged") return "○ No update needed";
    return status === "skipped" ? "- Skipped" : `✗ Error: ${error}`;
  },
  unreadableSource: (source: string, why: string): string => `the source ${source} could not be read: ${why}`,
  deadRule: (path: string, pattern: string): string =>
    `${path}: no file matches its rule ${JSON.stringify(pattern)}`,
  sameId: (paths: readonly string[], id: string): string =>
    `${paths.join(" and ")} have the same id ${JSON.stringify(id)}`,
  unreadableSources: "the list of sources cannot be read",
  noRepository: "this folder is in no git repository",
  unknownSource: (source: string): string => `no source is called ${JSON.stringify(source)}`,
  untrustedSource: (source: string, list: string): string =>
    `${list} is part of the repository, so a person has to agree to it; pass --source ${source} to have it read`,
  outsideFolder: (source: string): string =>
    `it lies outside this folder; pass --source ${source} to have it read`,
  notARepository: "it is no git repository",
};

/** Objections of the gates. A model reads them first, a person the second time. */
export const gateText = {
  unknownName: (kind: "flag" | "variable" | "name" | "file" | "package", name: string): string => {
    const where = kind === "package" ? "no manifest names it" : "it is nowhere in the code";
    return `the ${kind} ${JSON.stringify(name)} is new on the page and ${where}; name only what exists, or leave it out`;
  },
  unknownHost: (host: string): string =>
    `${JSON.stringify(host)} is a host that does not occur here; add no new addresses`,
  notWeb: (link: string): string => `the link ${JSON.stringify(link)} is no web address; leave it out`,
  carriesData: (link: string): string =>
    `${JSON.stringify(link)} would be fetched, or carries data, when the page is read`,
  noFile: (link: string): string =>
    `the link ${JSON.stringify(link)} leads to no file; link to a file that exists, or leave it out`,
  noHeading: (link: string, page: string): string => `${JSON.stringify(link)} leads to no heading of ${page}`,
  noReason: "an edit has no reason; say which change in the code makes it necessary",
  unknownFile: (path: string): string =>
    `the reason cites ${JSON.stringify(path)}, which is not a file here; cite what exists`,
  unknownCommit: (id: string): string =>
    `the reason cites commit ${id}, which is not part of the change; cite what exists`,
  secret: "the new text holds what looks like a key or a password; leave it out",
  active: (what: string, found: string): string =>
    `the new text holds ${what} (${JSON.stringify(found)}); leave it out`,
  installSource: (source: string): string =>
    `a command installs from ${JSON.stringify(source)}, which neither the page nor a manifest names; leave it out`,
  hidden: (text: string): string =>
    `the comment ${JSON.stringify(text)} is new and no reader sees it; leave it out`,
  ignoreMark:
    "a mark that keeps the check from reading lines would be added, moved or removed; leave it as it was",
  manyTags: "the page would have too many HTML tags to be judged",
  invisible: (code: string): string =>
    `the new text brings in an invisible character (${code}); leave it out`,
  longEdit: (characters: number, limit: number): string =>
    `the edits add ${characters} characters, more than the ${limit} that a surgical update of this page may add`,
  raggedRow: (row: string, count: { readonly cells: number; readonly columns: number }): string =>
    `the table row ${JSON.stringify(row)} has ${count.cells} cells where its table has ${count.columns} columns`,
  openFence: "the last code fence of the page is never closed",
  openElement: (name: string): string =>
    `the page would not begin and end <${name}> equally often; keep both tags`,
  brokenCode: (language: string, firstLine: string, line: number): string =>
    `the ${language} code that begins ${JSON.stringify(firstLine)} no longer parses at its line ${line}`,
  unrelated: (text: string): string =>
    `${JSON.stringify(text)} shares no name with a notice; leave it exactly as it was, or say in a line "ALSO line N: why" why it must change`,
  named: (text: string, reason: string): string => `${JSON.stringify(text)}: ${reason}`,
  manyNamed: (count: number, most: number): string =>
    `${count} sentences that no notice is about change or go, more than ${most}; keep to what is wrong`,
  brokenTable: "a table would lose its header or the line below it; keep both",
  emptied: "nothing of the section would be left but its heading; keep its text",
  unfounded: (text: string): string =>
    `many new sentences, ${JSON.stringify(text)} among them, reword no old one and name nothing that a notice is about; leave them out`,
  unknownNumber: (number: string): string =>
    `the number ${number} stands neither in the old text nor in the code shown; use the number of the code`,
  unseenName: (name: string): string =>
    `the name ${JSON.stringify(name)} stands neither in the old text nor in the code shown; name only what is shown, or name it in your reason if the code has it elsewhere`,
  growth: ({ removed, added }: { readonly removed: number; readonly added: number }): string =>
    `the edits remove ${removed} and add ${added} lines`,
  rewritten: (removed: number, added: number): string =>
    `the section loses ${removed} sentences, rows or lines of code and gets ${added}, which is a rewrite; keep to what is wrong`,
  talk: (text: string): string =>
    `${JSON.stringify(text)} speaks of the edit itself; a page speaks of the project only`,
  otherLanguage: (text: string): string =>
    `${JSON.stringify(text)} is in another language than the page; write it in the language of the page`,
  untouched: (words: string): string =>
    `a notice is answered with FIX, and its words stay as they were: ${JSON.stringify(words)}; change them, or answer KEEP`,
  stillReported: (message: string): string => `the check still reports the new words: ${message}`,
  lostLines: (had: number, has: number): string =>
    `the page has ${plural(has, "line")} of text where it had ${had}`,
  largePage: (characters: number, limit: number): string =>
    `the page has ${characters} characters, more than ${limit}`,
  largeEdit: (lines: { readonly removed: number; readonly added: number; readonly limit: number }): string =>
    `the edits remove ${lines.removed} and add ${lines.added} lines, more than the ${lines.limit} that a surgical update of this page may touch; keep to what is wrong`,
};

const mostShown = 20;

/** Sentences of `suture run` about files that the goal does not name. */
export const goalWords = {
  more: (paths: readonly string[]): string => {
    const shown = paths.slice(0, mostShown).join(", ");
    const rest = paths.length > mostShown ? ` and ${paths.length - mostShown} more` : "";
    return `The plan would also write files that the goal does not name: ${shown}${rest}.`;
  },
  askMore: "Write these files too? [y/N]",
  howToAllow: (paths: readonly string[]): string =>
    `Nothing was written. Name the files in the goal, or pass --may-write ${JSON.stringify(paths.slice(0, mostShown).join(","))}.`,
};
