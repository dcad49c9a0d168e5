import type { Connection } from "vscode-languageserver/node";
import { callTool } from "../docs/catalog.ts";
import { configPath } from "../docs/config.ts";
import { dismissFindings } from "../docs/fix/dismiss.ts";
import { openContext } from "../tools/context.ts";
import { editorText } from "../wording/lsp.ts";
import { refused, textOf } from "../wording/report.ts";
import { editFindings } from "./edits.ts";
import type { PageViews } from "./page-views.ts";
import type { Places } from "./places.ts";
import type { Repository } from "./repository.ts";

export const commandNames = [
  "suture.check",
  "suture.fixWorkspace",
  "suture.dismiss",
  "suture.setBase",
  "suture.undo",
] as const;

type CommandName = (typeof commandNames)[number];

export type CommandPorts = {
  readonly connection: Connection;
  readonly places: Places;
  /** The present state of a repository's documents. */
  readonly views: (repository: Repository) => Promise<PageViews>;
  readonly versioned: () => boolean;
};

/** The commands that an editor can call by name. Every command takes one object. */
type CommandArguments = {
  readonly uri?: unknown;
  readonly id?: unknown;
  readonly reason?: unknown;
  readonly base?: unknown;
};

/** The commands of the server. */
export class EditorCommands {
  /** The revision that every repository is compared with; `null`: the one that `check` chooses. */
  base: string | null = null;
  readonly #ports: CommandPorts;

  constructor(ports: CommandPorts) {
    this.#ports = ports;
  }

  async run(name: string, [given]: readonly unknown[]): Promise<unknown> {
    const wanted = (typeof given === "object" && given !== null ? given : {}) as CommandArguments;
    const run: Readonly<Record<CommandName, () => Promise<unknown>>> = {
      "suture.check": () => this.#check(wanted),
      "suture.fixWorkspace": () => this.#fix(wanted),
      "suture.dismiss": () => this.#dismiss(wanted),
      "suture.setBase": () => this.#setBase(wanted),
      "suture.undo": () => this.#undo(wanted),
    };
    return Object.hasOwn(run, name) ? run[name as CommandName]() : null;
  }

  /** The repositories that a command means: that of a document, or all of them. */
  async #meant({ uri }: CommandArguments): Promise<Repository[]> {
    const { places } = this.#ports;
    if (typeof uri !== "string") return places.repositories();
    const repository = (await places.locate(uri))?.repository ?? (await places.openFolder(uri));
    return repository ? [repository] : [];
  }

  async #check(wanted: CommandArguments): Promise<unknown> {
    const repositories = await this.#meant(wanted);
    for (const repository of repositories) repository.touchDisk();
    return Promise.all(
      repositories.map(async (repository) => {
        const { outcome } = await repository.current();
        return outcome.ok ? outcome.value : { error: this.#words(outcome.refusal) };
      }),
    );
  }

  /** Makes every edit that a rule is certain of, in the editor. */
  async #fix(wanted: CommandArguments): Promise<boolean> {
    const { connection, views, versioned } = this.#ports;
    let isDone = false;
    for (const repository of await this.#meant(wanted)) {
      const shown = await views(repository);
      const { outcome } = shown.checked;
      if (!outcome.ok) continue;
      const request = { findings: outcome.value.findings, agreed: false };
      const edit = await editFindings(shown, request, { versioned: versioned() });
      if (edit === null) continue;
      const { applied } = await connection.workspace.applyEdit({ label: editorText.fixLabel, edit });
      if (!applied) this.#say(editorText.notApplied);
      isDone ||= applied;
    }
    if (!isDone) connection.console.info(editorText.nothingToFix);
    return isDone;
  }

  /** Writes the dismissal to the configuration by a transaction of its own, which `suture undo` takes back. */
  async #dismiss(wanted: CommandArguments): Promise<unknown> {
    const [repository] = await this.#meant(wanted);
    const { id } = wanted;
    if (!repository || typeof id !== "string") return null;
    if (repository.documents.get(configPath)?.isEdited) return this.#say(editorText.saveFirst(configPath));
    const reason = await this.#reasonOf(wanted);
    if (reason === null) return null;
    const opened = await openContext({
      root: repository.session.project.root,
      task: "dismiss",
      policy: { consent: (path) => path === configPath },
    });
    if (!opened.ok) return this.#say(this.#words(opened.refusal));
    await using context = opened.value;
    const applied = await dismissFindings(context, [id], reason);
    if (!applied.ok) return this.#say(this.#words(applied.refusal));
    repository.touchDisk();
    return { path: configPath, entry: applied.value.entry?.id };
  }

  /** The reason that came with the command, or one that a person picks. */
  async #reasonOf({ reason }: CommandArguments): Promise<string | null> {
    if (typeof reason === "string" && reason.trim() !== "") return reason.trim();
    const choices = editorText.reasons.map((title) => ({ title }));
    const picked = await this.#ports.connection.window.showInformationMessage(
      editorText.whyDismissed,
      ...choices,
    );
    return picked?.title ?? null;
  }

  async #setBase(wanted: CommandArguments): Promise<string> {
    const { base } = wanted;
    const next = typeof base === "string" && base.trim() !== "" ? base.trim() : null;
    if (wanted.uri === undefined) this.base = next;
    for (const repository of await this.#meant(wanted)) repository.compareWith(next);
    return editorText.base(next);
  }

  /** Takes back the newest transaction that Suture itself has written. Edits in buffers are the editor's to undo. */
  async #undo(wanted: CommandArguments): Promise<unknown> {
    const [repository] = await this.#meant(wanted);
    if (!repository) return null;
    const opened = await openContext({ root: repository.session.project.root, task: "undo" });
    if (!opened.ok) return this.#say(this.#words(opened.refusal));
    await using context = opened.value;
    const result = await callTool(context, "undo", {});
    if (!result.success) this.#say(textOf(result));
    repository.touchDisk();
    return result;
  }

  #words(refusal: Parameters<typeof refused>[0]): string {
    return textOf(refused(refusal, { tool: "lsp", wording: "files" }));
  }

  #say(text: string): null {
    void this.#ports.connection.window.showWarningMessage(text);
    return null;
  }
}
