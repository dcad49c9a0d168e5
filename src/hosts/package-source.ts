import manifest from "../../package.json" with { type: "json" };

/** Where a runner, or the client of an agent, gets Suture from. */
export type PackageSource = {
  /** As npm takes it: `name@version`, a git address, an address of a tarball, or a path. */
  readonly spec: string;
  readonly kind: "registry" | "git" | "file";
};

/** The fields of package.json that say where a version can be got. `config.package` is its name in the registry. */
export type Releases = {
  readonly version: string;
  readonly repository: { readonly url: string };
  readonly config: { readonly package: string; readonly published: boolean };
};

/** Where anyone gets a version: the registry or, until `config.published` is set, its tag in git. */
export function sourceOf({ version, repository, config }: Releases): PackageSource {
  return config.published
    ? { spec: `${config.package}@${version}`, kind: "registry" }
    : { spec: `${repository.url}#v${version}`, kind: "git" };
}

/** Where anyone gets this version. */
export const releasedSource: PackageSource = sourceOf(manifest);

/** How npm gets the fleet of this version under the name that `suture fleet` imports. From git it has to be packed first. */
export const fleetSource: string = manifest.config.published
  ? `suture-fleet@npm:${manifest.config.package}-fleet@${manifest.version}`
  : `suture-fleet-${manifest.version}.tgz`;

const gitAddress = /^[a-z]+:[^/]|^git(?:\+[a-z]+)?:|\.git(?:#|$)/;

/** A source that a person names: a version, a git address, or a tarball by its address or path. */
export function parseSource(text: string): PackageSource {
  if (/^\d+\.\d+\.\d+/.test(text)) return { spec: `${manifest.config.package}@${text}`, kind: "registry" };
  return { spec: text, kind: gitAddress.test(text) ? "git" : "file" };
}

/** The command of a shell that runs Suture from a source. A path counts from `checkout`, a variable of the runner. */
export function runFrom({ spec, kind }: PackageSource, checkout: string): string {
  // A package from git builds itself, which is a script. Any other is built already.
  if (kind === "git") return `npx --yes --package '${spec}' -- suture`;
  if (kind === "registry") return `npx --yes --ignore-scripts ${spec}`;
  const place =
    /^https?:/.test(spec) || spec.startsWith("/") ? spec : `${checkout}/${spec.replace(/^\.\//, "")}`;
  return `npx --yes --ignore-scripts --package "${place}" -- suture`;
}

/** The words after `npx` with which a client on a person's machine runs Suture. */
export function npxWords({ spec, kind }: PackageSource): readonly string[] {
  // Without a prefix, npx takes a program of that name from the project, also where a version is given. npm reads `~/` as
  // the home folder, with or without a shell.
  const outside = ["-y", "--prefix", "~/"];
  return kind === "registry" ? [...outside, spec] : [...outside, "--package", spec, "--", "suture"];
}

/** Whether a source can stand in a file that others run: nothing in it can end the word of a shell. */
export function isPlainSource({ spec }: PackageSource): boolean {
  return /^[\w@:/.+#~-]+$/.test(spec) && !spec.startsWith("-");
}
