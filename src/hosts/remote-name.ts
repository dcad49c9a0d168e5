/** A repository as the address of a remote names it. */
export type RemoteName = {
  readonly host: string;
  /** `owner/name`, or a longer path on hosts with nested groups. */
  readonly repository: string;
};

const scp = /^(?:[^@/]+@)?([A-Za-z0-9.-]+):(?!\/\/)(.+)$/;

/** The host and the repository of a git address; null for a folder. Credentials in the address are not read. */
export function nameOfRemote(address: string): RemoteName | null {
  const url = /^(?:https?|ssh|git):\/\//i.test(address) ? URL.parse(address) : null;
  const [, host = "", path = ""] = url ? [null, url.hostname, url.pathname] : (scp.exec(address) ?? []);
  const repository = path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  return host === "" || !repository.includes("/") ? null : { host: host.toLowerCase(), repository };
}
