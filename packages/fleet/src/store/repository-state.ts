/**
 * `open`: edits are published and wait for people. `unknown`: a file could not be checked. `empty`: it has no commits.
 * `archived`: its host says that it is archived or deleted. `quarantined`: its check was stopped twice, so it waits for a person.
 */
export const repositoryStates = [
  "new",
  "clean",
  "drifted",
  "open",
  "unknown",
  "empty",
  "archived",
  "failing",
  "quarantined",
] as const;

export type RepositoryState = (typeof repositoryStates)[number];
