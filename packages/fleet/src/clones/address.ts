import { accept, type Outcome, refuse } from "suture/text";

/** The URL that git fetches a repository from, and its name. */
export type Address = {
  readonly host: string;
  readonly organisation: string;
  readonly name: string;
  readonly url: string;
  /** The host's own number of the repository, if the host listed it. */
  readonly hostId?: string | null;
};

/** The host name for clones on this machine. */
export const localHost = "local";

/** The folder of an address on this machine. */
export function toFolder({ url }: Pick<Address, "url">): string {
  return url.startsWith("/") ? url : decodeURIComponent(new URL(url).pathname);
}

const scp = /^(?:[A-Za-z0-9._-]+@)?([A-Za-z0-9.-]+):(?!:|\/\/)(.+)$/;

/**
 * A clone URL (https, ssh, file) or an absolute folder. Nothing else is accepted: some git URLs run programs. Credentials
 * are refused, because addresses are stored and shown.
 */
export function parseAddress(text: string): Outcome<Address> {
  const given = text.trim();
  if (/[\u0000-\u0020\u007f]/.test(given.replaceAll(" ", "")) || given.startsWith("-"))
    return notAnAddress(given);
  if (given.startsWith("/")) return toAddress(localHost, given, given);
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? URL.parse(given) : null;
  if (url) {
    if (url.password !== "" || (url.username !== "" && url.protocol !== "ssh:"))
      return refuse({
        code: "malformed",
        what: "a clone URL must not hold credentials",
        hint: "Put the token in the environment.",
      });
    if (url.protocol === "file:") return toFolderAddress(url, given);
    if (url.protocol === "https:" || url.protocol === "ssh:")
      return toRemoteAddress(url.host, url.pathname, given);
    return notAnAddress(given);
  }
  const short = scp.exec(given);
  return short ? toRemoteAddress(short[1]!, short[2]!, given) : notAnAddress(given);
}

function toFolderAddress({ pathname }: URL, given: string): Outcome<Address> {
  try {
    return toAddress(localHost, decodeURIComponent(pathname), given);
  } catch {
    return notAnAddress(given);
  }
}

/** A host on the network may not be called as the clones of this machine are: it would count as one of them. */
function toRemoteAddress(hostName: string, path: string, url: string): Outcome<Address> {
  const host = hostName.toLowerCase();
  return host === localHost ? notAnAddress(url) : toAddress(host, path, url);
}

/** The last part of the path is the name, the rest the organisation. On this machine, the organisation is the folder. */
function toAddress(host: string, path: string, url: string): Outcome<Address> {
  const parts = path
    .replace(/\/+$/, "")
    .replace(/(\/\.git|\.git)$/, "")
    .split("/")
    .filter((part) => part !== "");
  const name = parts.pop();
  const organisation = host === localHost ? (parts.pop() ?? localHost) : parts.join("/");
  if (name === undefined || organisation === "" || parts.includes("..")) return notAnAddress(url);
  return accept({ host, organisation, name, url });
}

function notAnAddress(text: string): Outcome<never> {
  return refuse({
    code: "malformed",
    what: `${JSON.stringify(text.slice(0, 200))} is not the address of a repository`,
    hint: "Give an https or ssh clone URL, or the folder of a clone.",
  });
}
