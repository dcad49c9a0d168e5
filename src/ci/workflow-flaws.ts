import { parseYaml } from "../syntax/data/yaml.ts";
import { defined } from "../text/model/defined.ts";
import { isRecord } from "../text/model/json.ts";
import type { Reader } from "../workspace/workspace.ts";

/** A flaw in a workflow that gives an outsider's pull request too many rights. */
export type WorkflowFlaw = { readonly what: FlawKind; readonly where: string };

type FlawKind =
  | "untrusted-checkout"
  | "unpinned-action"
  | "script-injection"
  | "untrusted-install"
  | "unreadable";

/** Finds likely flaws in one workflow or action. It may miss one, and may name a step that is safe. */
export function findWorkflowFlaws(text: string): WorkflowFlaw[] {
  const parsed = parseYaml(text);
  if (!("value" in parsed)) return [{ what: "unreadable", where: parsed.trouble.why }];
  const isPrivileged = triggersOf(parsed.value).some((name) => privileged.has(name));
  return findSteps(parsed.value).flatMap((step) => findFlaws(step, isPrivileged));
}

export type FlawedWorkflow = WorkflowFlaw & { readonly path: string };

/** The workflows of a repository in which a pull request of an outsider runs with the repository's rights. */
export async function findDangerousWorkflows(reader: Reader): Promise<FlawedWorkflow[]> {
  const listed = await reader.list({});
  const paths = listed.ok ? listed.value.paths.filter((path) => workflowPath.test(path)) : [];
  const flawed: FlawedWorkflow[] = [];
  for (const path of paths) {
    const read = await reader.read(path);
    const flaws = read.ok && read.value.text !== null ? findWorkflowFlaws(read.value.text) : [];
    for (const flaw of flaws) if (flaw.what === "untrusted-checkout") flawed.push({ path, ...flaw });
  }
  return flawed;
}

const workflowPath = /^\.github\/workflows\/[^/]+\.ya?ml$/;
const privileged = new Set(["pull_request_target", "workflow_run", "issue_comment"]);

/** Expressions whose text outsiders can choose. */
const writtenByPeople =
  /\$\{\{[^{}]*?(github\.head_ref|github\.event\.[\w.*[\]'"-]*(title|body|message|label|name|email|head\.ref|head_branch|page_name|default_branch))[^}]*\}\}/;

const headOfRequest =
  /github\.(head_ref|event\.(pull_request\.(head\.(ref|sha)|merge_commit_sha|number)|workflow_run\.head_(sha|branch)|issue\.number))/;

type WorkflowStep = {
  readonly where: string;
  readonly uses?: string;
  readonly run?: string;
  readonly ref?: string;
};

function findFlaws({ where, uses, run, ref }: WorkflowStep, isPrivileged: boolean): WorkflowFlaw[] {
  const flaws: WorkflowFlaw[] = [];
  if (uses !== undefined && !isPinned(uses))
    flaws.push({ what: "unpinned-action", where: `${where}: ${uses}` });
  if (run !== undefined && writtenByPeople.test(run)) flaws.push({ what: "script-injection", where });
  const checksOut = uses?.startsWith("actions/checkout@") && headOfRequest.test(ref ?? "");
  const takesOver = /\bgit (checkout|switch|merge|reset|pull)\b|\bgh pr checkout\b/.test(run ?? "");
  if (isPrivileged && (checksOut || takesOver)) flaws.push({ what: "untrusted-checkout", where });
  const installs =
    /\b(npm (ci|install|i)|yarn( install)?|pnpm (i|install)|pip install|bundle install)\b(?!.*--package)/;
  if (isPrivileged && installs.test(run ?? "")) flaws.push({ what: "untrusted-install", where });
  return flaws;
}

function isPinned(uses: string): boolean {
  return /^\.\.?\/|@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$/.test(uses);
}

function triggersOf(workflow: unknown): string[] {
  const on = at(workflow, "on");
  if (typeof on === "string") return [on];
  if (Array.isArray(on)) return on.filter((name) => typeof name === "string");
  return isRecord(on) ? Object.keys(on) : [];
}

function findSteps(workflow: unknown): WorkflowStep[] {
  const jobs = at(workflow, "jobs");
  const lists = [
    ...(isRecord(jobs) ? Object.entries(jobs).map(([name, job]) => [name, at(job, "steps")] as const) : []),
    ["action", at(at(workflow, "runs"), "steps")] as const,
  ];
  return lists.flatMap(([name, steps]) =>
    (Array.isArray(steps) ? steps : []).map((step, i): WorkflowStep => {
      const [uses, run, ref] = [at(step, "uses"), at(step, "run"), at(at(step, "with"), "ref")];
      return {
        where: `${name}, step ${i + 1}`,
        ...defined({
          uses: typeof uses === "string" ? uses : undefined,
          run: typeof run === "string" ? run : undefined,
          ref: typeof ref === "string" ? ref : undefined,
        }),
      };
    }),
  );
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
