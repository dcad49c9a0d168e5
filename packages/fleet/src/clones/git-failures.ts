/**
 * Why git failed. `permanent`: a retry would fail in the same way. `unauthorised`: the host wants a credential, or another
 * one. `network`: the host could not be reached. `limited`: it limits the rate. `redirect`: the host names another address. `empty`: the remote repository has no commits. `broken`: the local clone is damaged
 * or locked.
 */
export type GitFailure =
  | "permanent"
  | "unauthorised"
  | "network"
  | "limited"
  | "redirect"
  | "empty"
  | "disk-full"
  | "broken";

/**
 * Git ends with 128 after almost every failure, so its messages are the only way to distinguish them. No other code reads
 * them. They are in English, because git runs with `LC_ALL=C`.
 */
const patterns: Readonly<Record<GitFailure, RegExp>> = {
  permanent:
    /repository .*not found|does not appear to be a git repository|does not exist|permission denied|transport .* not allowed|dubious ownership/i,
  network:
    /could not resolve host|failed to connect|connection (refused|reset|timed out)|operation timed out|network is unreachable|no route to host|requested URL returned error: 5\d\d|the remote end hung up|early EOF/i,
  unauthorised: /authentication failed|could not read Username/i,
  limited: /requested URL returned error: 429\b/,
  redirect: /requested URL returned error: 30[12378]\b/,
  empty: /couldn't find remote ref HEAD/i,
  "disk-full": /no space left on device|disk quota exceeded|ENOSPC|EDQUOT/i,
  broken: /not a git repository|\.lock|corrupt|bad object|unable to read|invalid|missing|loose object/i,
};

/**
 * The kinds of a failure, by the error output of git. The words of the remote say nothing about this machine. A full disk
 * breaks every write, also into an intact clone.
 */
export function readGitFailures(errors: string): ReadonlySet<GitFailure> {
  const own = errors.replace(/^remote:.*$|\bremote error:.*$/gm, "");
  const texts: Partial<Record<GitFailure, string>> = { "disk-full": withoutNames(own), broken: own };
  const all = Object.entries(patterns) as [GitFailure, RegExp][];
  const found = all.flatMap(([failure, pattern]) =>
    pattern.test(texts[failure] ?? errors) ? [failure] : [],
  );
  return new Set(found.filter((failure) => failure !== "broken" || !found.includes("disk-full")));
}

/** Git quotes addresses and paths. Their words are not its own. */
function withoutNames(errors: string): string {
  return errors.replace(/'[^'\n]*'/g, "''");
}
