/** Lines of a file at a commit. */
export type FilePlace = {
  readonly commit: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
};

/** A repository on its host: `owner/name`, and the address of the API unless it is the public one. */
export type RepositoryPlace = { readonly name: string; readonly baseUrl: string | undefined };

/** How one host forms the address of a file: its public instance, its API, and the parts of the path. */
export type FileUrlForm = {
  readonly publicHost: string;
  readonly publicApi: string;
  readonly apiPath: string;
  /** The folder of the address under which commits and files come. */
  readonly folder: string;
  /** The start of the last line, where several are named. */
  readonly lastLine: string;
};

/** The address of lines of a file, for people. */
export function fileUrl(
  { publicHost, publicApi, apiPath, folder, lastLine }: FileUrlForm,
  repository: RepositoryPlace,
  { commit, path, startLine, endLine }: FilePlace,
): string {
  const api = (repository.baseUrl ?? publicApi).replace(/\/+$/, "");
  const isPublic = api === publicApi;
  const own = api.endsWith(apiPath) ? api.slice(0, -apiPath.length) : api;
  const root = isPublic ? `https://${publicHost}` : own;
  const lines = endLine > startLine ? `#L${startLine}${lastLine}${endLine}` : `#L${startLine}`;
  return `${root}/${encoded(repository.name)}${folder}${encoded(commit)}/${encoded(path)}${lines}`;
}

/** A path for an address. Parentheses would end a Markdown link. */
function encoded(path: string): string {
  return path
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
    )
    .join("/");
}
