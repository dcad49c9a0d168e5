import { GitError, tryGit } from "./git-process.ts";

/** A clone, the repository that it is fetched from, and the header with the credential of its host. */
export type Remote = {
  readonly place: string;
  readonly url: string;
  readonly host: string;
  readonly header: string | null;
  readonly signal: AbortSignal | undefined;
};

/** Git sends the header to every host that it is redirected to. With a credential, it may follow no redirect. */
export function remoteSettings({ url, header }: Remote): string[] {
  const redirects = header === null ? [] : ["-c", "http.followRedirects=false"];
  return ["-c", `remote.origin.url=${url}`, ...redirects];
}

/** Settings that must not appear in the list of processes. */
export function secretSettings({ host, header }: Remote): Readonly<Record<string, string>> {
  return header === null ? {} : { [`http.https://${host}/.extraHeader`]: header };
}

const mostMoves = 3;

/** Does the work on a remote. A repository that its host has moved is looked for at its new address on the same host. */
export async function followMoves<R extends Remote, T>(
  remote: R,
  work: (remote: R) => Promise<T>,
): Promise<T> {
  let at = remote;
  for (let move = 0; ; move++) {
    try {
      return await work(at);
    } catch (error) {
      if (!(error instanceof GitError) || at.header === null || !error.is("redirect")) throw error;
      const url = move < mostMoves ? await findNewAddress(at) : null;
      if (url === null)
        throw new GitError(`${at.host} redirects to another host, which gets no token`, ["permanent"]);
      at = { ...at, url };
    }
  }
}

/** The address that the host redirects to; null if it is on another host. */
async function findNewAddress(remote: Remote): Promise<string | null> {
  const { err } = await tryGit([...remoteSettings(remote), "ls-remote", "--quiet", "origin", "HEAD"], {
    folder: remote.place,
    signal: remote.signal,
    secret: secretSettings(remote),
    variables: { GIT_TRACE_CURL: "1", GIT_TRACE_CURL_NO_DATA: "1" },
  });
  const given = /header:? location: (\S+)/i.exec(err)?.[1] ?? "";
  const url = URL.parse(given.replace(/\/info\/refs(\?.*)?$/, ""), remote.url);
  return url?.protocol === "https:" && url.host === remote.host && url.href !== remote.url ? url.href : null;
}
