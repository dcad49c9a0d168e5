/** Sentences about documents in another repository. */
export const docsWords = {
  noClone: (folder: string): string =>
    `${folder} is in no git repository, so there are no documents to check`,
  notAgreed: (folder: string): string =>
    `the configuration names ${folder} for the documents, and the configuration there does not name this repository, so nothing is written there; pass --docs ${folder} to write`,
  rulesOnly: "--docs and --model exclude each other: a model would read the code of the wrong repository",
};
