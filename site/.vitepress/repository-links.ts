import { posix } from "node:path";

/** Where a link stands: the path of the document below `docs/`, and the address of the repository. */
type Origin = { readonly page: string; readonly repository: string };

/** Where a link of a document leads on the site: to a page of it, or to the file on the code host for all but documents. */
export function siteLink(href: string, { page, repository }: Origin): string {
  if (/^(?:[a-z]+:|[#/])/i.test(href)) return href;
  const [path = "", anchor = ""] = href.split(/(?=#)/);
  const file = posix.join("docs", posix.dirname(page), path);
  const isPage = file.startsWith("docs/") && file.endsWith(".md");
  return isPage ? href : `${repository}/blob/HEAD/${file}${anchor}`;
}

/** As much of a Markdown renderer as is needed here. */
export type Renderer = {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
};
type State = {
  readonly tokens: readonly { readonly children: readonly Token[] | null }[];
  readonly env: { readonly relativePath: string };
};
type Token = {
  readonly type: string;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
};

/** Makes a renderer of the site use `siteLink` for every link. */
export function linkToRepository(markdown: Renderer, repository: string): void {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === "link_open");
    for (const link of links)
      link.attrSet("href", siteLink(link.attrGet("href") ?? "", { page: env.relativePath, repository }));
  });
}
