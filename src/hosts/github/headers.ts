export const publicApi = "https://api.github.com";

/** The headers of every request to GitHub's API. */
export function apiHeaders(token: string): Readonly<Record<string, string>> {
  return {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "user-agent": "suture",
    "x-github-api-version": "2022-11-28",
  };
}
