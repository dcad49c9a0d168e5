/** A code host as the texts and the files of repositories show it. The room `hosts` sends requests to hosts. */
export type KnownCodeHost = {
  /** The public instance. */
  readonly site: string;
  /** Other sites that serve files of its repositories as they are. */
  readonly rawSites?: readonly string[];
  /** The site at which its owners publish its documentation. */
  readonly documentation?: string;
  /** The folder of a repository that holds its settings. */
  readonly folder?: string;
  /** The beginning of the names of its CI files, outside that folder. */
  readonly ciFile?: string;
};

/** Every code host whose addresses and files are known. */
export const CODE_HOSTS: readonly KnownCodeHost[] = [
  {
    site: "github.com",
    rawSites: ["raw.githubusercontent.com", "rawgit.com", "cdn.rawgit.com"],
    documentation: "docs.github.com",
    folder: ".github",
  },
  { site: "gitlab.com", documentation: "docs.gitlab.com", folder: ".gitlab", ciFile: ".gitlab-ci" },
  { site: "bitbucket.org", ciFile: "bitbucket-pipelines" },
  { site: "codeberg.org" },
];

/** Alternatives for a regular expression. */
export const HOST_SITES = alternatives(({ site }) => [site]);
export const HOST_RAW_SITES = alternatives(({ rawSites = [] }) => rawSites);
export const HOST_FOLDERS = alternatives(({ folder }) => (folder ? [folder] : []));
export const HOST_CI_FILES = alternatives(({ ciFile }) => (ciFile ? [ciFile] : []));

function alternatives(namesOf: (host: KnownCodeHost) => readonly string[]): string {
  return CODE_HOSTS.flatMap(namesOf)
    .map((name) => name.replaceAll(".", "\\."))
    .join("|");
}
