import { isDocumentPath } from "../drift/pages/policies.ts";
import { DOCUMENT_TITLES } from "../syntax/formats/registry.ts";
import { openGit } from "../workspace/git/git.ts";
import type { Reader } from "../workspace/workspace.ts";
import { configPath, parseConfig } from "./config.ts";

/** A reason why a command cannot work in a folder, and the remedy. */
export type Obstacle = { readonly what: string; readonly remedy: string };

/** Finds what a folder lacks for `check`: git with history, a branch to compare with, documents, a valid configuration. */
export async function findObstacles(root: string, reader: Reader): Promise<Obstacle[]> {
  return [...(await findGitObstacles(root)), ...(await findTextObstacles(reader))];
}

async function findGitObstacles(root: string): Promise<Obstacle[]> {
  const git = await openGit(root);
  if (!git)
    return [
      {
        what: "this folder is in no git repository, or git is not installed",
        remedy: "editing and undo work; for `suture check`, install git or run `git init`",
      },
    ];
  const tip = await git.resolve("HEAD");
  if (tip === null)
    return [{ what: "the repository has no commit yet", remedy: "commit once, so that there is a base" }];
  if (await git.isShallow())
    return [{ what: "the clone is shallow", remedy: "fetch more history: git fetch --deepen=50" }];
  const isAlone = (await git.mainBranch()) === null && (await git.parents(tip)).length === 0;
  return isAlone
    ? [
        {
          what: "there is only one commit, and no other branch to compare with",
          remedy: "`suture check --all` needs no change",
        },
      ]
    : [];
}

async function findTextObstacles(reader: Reader): Promise<Obstacle[]> {
  const listed = await reader.list();
  const hasDocuments = !listed.ok || listed.value.paths.some(isDocumentPath);
  const config = await reader.read(configPath);
  const parsed = config.ok && config.value.text !== null ? parseConfig(config.value.text) : null;
  return [
    ...(hasDocuments
      ? []
      : [
          {
            what: "there are no documents here",
            remedy: `\`suture check\` reads ${DOCUMENT_TITLES.slice(0, -1).join(", ")} and ${DOCUMENT_TITLES.at(-1)}`,
          },
        ]),
    ...(parsed && !parsed.ok && "what" in parsed.refusal
      ? [{ what: parsed.refusal.what, remedy: "see docs/configuration.md for the keys there are" }]
      : []),
  ];
}
