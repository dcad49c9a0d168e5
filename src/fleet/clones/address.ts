import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";

/** Where git fetches a repository from, and what it is called. */
export type Address = {
  readonly host: string;
  readonly organisation: string;
  readonly name: string;
  readonly url: string;
};

/** The host of clones that lie on this machine. */
export const here = "local";

const scp = /^(?:[A-Za-z0-9._-]+@)?([A-Za-z0-9.-]+):(?!:|\/\/)(.+)$/;

/**
 * A clone URL (https, ssh, file) or an absolute folder. Nothing else: git knows addresses that run programs. Credentials
 * are refused, because addresses are stored and shown.
 */
export function parseAddress(text: string): Outcome<Address> {
  const given = text.trim();
  if (/[\u0000-\u0020\u007f]/.test(given.replaceAll(" ", "")) || given.startsWith("-")) return strange(given);
  if (given.startsWith("/")) return named(here, given, given);
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? URL.parse(given) : null;
  if (url) {
    if (url.password !== "" || (url.username !== "" && url.protocol !== "ssh:"))
      return refuse({
        code: "malformed",
        what: "a clone URL must not hold credentials",
        hint: "Put the token in the environment.",
      });
    if (url.protocol === "file:") return named(here, decodeURIComponent(url.pathname), given);
    if (url.protocol === "https:" || url.protocol === "ssh:")
      return named(url.host.toLowerCase(), url.pathname, given);
    return strange(given);
  }
  const short = scp.exec(given);
  return short ? named(short[1]!.toLowerCase(), short[2]!, given) : strange(given);
}

/** The last part of the path is the name; what stands before it the organisation, on this machine only the folder. */
function named(host: string, path: string, url: string): Outcome<Address> {
  const parts = path
    .replace(/\/+$/, "")
    .replace(/(\/\.git|\.git)$/, "")
    .split("/")
    .filter((part) => part !== "");
  const name = parts.pop();
  const organisation = host === here ? (parts.pop() ?? here) : parts.join("/");
  if (name === undefined || organisation === "" || parts.includes("..")) return strange(url);
  return accept({ host, organisation, name, url });
}

function strange(text: string): Outcome<never> {
  return refuse({
    code: "malformed",
    what: `${JSON.stringify(text.slice(0, 200))} is not the address of a repository`,
    hint: "Give an https or ssh clone URL, or the folder of a clone.",
  });
}
