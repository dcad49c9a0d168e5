import { execFileSync } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A part of GitHub's REST API over a real bare repository, for tests. Everything it is sent is kept. */
export type FakeGitHub = Awaited<ReturnType<typeof openFakeGitHub>>;

export type Comment = { id: number; body: string; user: { login: string; type: string } };
export type Pull = {
  number: number;
  head: { ref: string; sha: string; repo: { full_name: string } | null };
  base: { ref: string; sha: string };
  title: string;
  body: string;
  state: "open" | "closed";
};
export type Received = { method: string; path: string; token: string; body: string };

const bot = { login: "github-actions[bot]", type: "Bot" };
type Handler = (match: RegExpExecArray, body: never, query: URLSearchParams) => unknown;

export async function openFakeGitHub({
  repository,
  bare,
  pageSize = 100,
}: {
  repository: string;
  bare: string;
  pageSize?: number;
}) {
  const received: Received[] = [];
  const comments = new Map<number, Comment[]>();
  const reviews: {
    pull: number;
    commit_id: string;
    comments: { path: string; line: number; start_line?: number; body: string }[];
  }[] = [];
  const pulls = new Map<number, Pull>();
  const statuses: unknown[] = [];
  const repositories: string[] = [];
  /** Answers to give before the real ones: `[status, headers, body]`. */
  const spoiled: {
    when: (method: string, path: string) => boolean;
    status: number;
    headers?: Record<string, string>;
    body?: unknown;
    after?: boolean;
  }[] = [];
  let next = 1000;
  const git = (args: readonly string[], input?: string | Buffer): string =>
    execFileSync(
      "git",
      ["-c", "user.name=github-actions[bot]", "-c", "user.email=bot@example.org", ...args],
      {
        cwd: bare,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "pipe"],
        ...(input === undefined ? {} : { input }),
      },
    ).trim();
  const shownPull = (pull: Pull) => ({
    ...pull,
    head: {
      ...pull.head,
      sha: pull.head.repo?.full_name === repository ? tip(pull.head.ref) : pull.head.sha,
    },
    base: { ...pull.base, repo: { full_name: repository } },
    html_url: `https://github.test/${repository}/pull/${pull.number}`,
    user: { login: "someone" },
    merged_at: null,
  });
  const tip = (branch: string): string => git(["rev-parse", `refs/heads/${branch}`]);
  const missing = (): never => {
    throw new Status(404, "Not Found");
  };
  const at = `/repos/${repository}`;
  const routes: [string, RegExp, Handler][] = [
    [
      "GET",
      /^\/user$/,
      () => {
        throw new Status(403, "Resource not accessible by integration");
      },
    ],
    [
      "GET",
      /^\/orgs\/([^/]+)\/repos$/,
      () =>
        repositories.map((name) => ({
          full_name: name,
          default_branch: "main",
          clone_url: `https://github.test/${name}.git`,
          html_url: `https://github.test/${name}`,
          private: true,
          fork: false,
          archived: false,
          pushed_at: null,
        })),
    ],
    [
      "GET",
      new RegExp(`^${at}$`),
      () => ({
        full_name: repository,
        default_branch: "main",
        clone_url: bare,
        html_url: "",
        private: false,
        fork: false,
        archived: false,
      }),
    ],
    [
      "GET",
      new RegExp(`^${at}/pulls/(\\d+)$`),
      ([, n]) => (pulls.has(Number(n)) ? shownPull(pulls.get(Number(n))!) : missing()),
    ],
    [
      "PATCH",
      new RegExp(`^${at}/pulls/(\\d+)$`),
      ([, n], body: object) => shownPull(Object.assign(pulls.get(Number(n)) ?? missing(), body)),
    ],
    [
      "GET",
      new RegExp(`^${at}/pulls$`),
      (_, __, query) =>
        [...pulls.values()]
          .filter(
            (pull) =>
              pull.state === "open" &&
              `${repository.split("/")[0]}:${pull.head.ref}` === query.get("head") &&
              pull.base.ref === query.get("base"),
          )
          .map(shownPull),
    ],
    [
      "POST",
      new RegExp(`^${at}/pulls$`),
      (_, { head, base, title, body }: { head: string; base: string; title: string; body: string }) => {
        const pull: Pull = {
          number: next++,
          title,
          body,
          state: "open",
          head: { ref: head, sha: tip(head), repo: { full_name: repository } },
          base: { ref: base, sha: tip(base) },
        };
        pulls.set(pull.number, pull);
        return shownPull(pull);
      },
    ],
    ["GET", new RegExp(`^${at}/issues/(\\d+)/comments$`), ([, n]) => comments.get(Number(n)) ?? []],
    [
      "POST",
      new RegExp(`^${at}/issues/(\\d+)/comments$`),
      ([, n], { body }: { body: string }) => {
        const comment = { id: next++, body, user: bot, html_url: `https://github.test/c/${next}` };
        comments.set(Number(n), [...(comments.get(Number(n)) ?? []), comment]);
        return comment;
      },
    ],
    [
      "PATCH",
      new RegExp(`^${at}/issues/comments/(\\d+)$`),
      ([, id], { body }: { body: string }) => {
        const found = [...comments.values()].flat().find((one) => one.id === Number(id)) ?? missing();
        found.body = body;
        return found;
      },
    ],
    [
      "DELETE",
      new RegExp(`^${at}/issues/comments/(\\d+)$`),
      ([, id]) => {
        for (const [n, list] of comments)
          comments.set(
            n,
            list.filter((one) => one.id !== Number(id)),
          );
        return {};
      },
    ],
    [
      "GET",
      new RegExp(`^${at}/pulls/(\\d+)/files$`),
      ([, n]) => {
        const { base, head } = shownPull(pulls.get(Number(n)) ?? missing());
        const from = git(["merge-base", base.sha, head.sha]);
        return git(["diff", "--name-only", from, head.sha])
          .split("\n")
          .filter(Boolean)
          .map((filename) => ({
            filename,
            patch: git(["diff", from, head.sha, "--", filename]).replace(/^[^@]*(?=@@)/, ""),
          }));
      },
    ],
    [
      "GET",
      new RegExp(`^${at}/pulls/(\\d+)/comments$`),
      ([, n]) =>
        reviews
          .filter((review) => review.pull === Number(n))
          .flatMap((review) =>
            review.comments.map((comment, i) => ({ id: i + 1, body: comment.body, user: bot })),
          ),
    ],
    [
      "POST",
      new RegExp(`^${at}/pulls/(\\d+)/reviews$`),
      ([, n], body: never) => {
        reviews.push({ pull: Number(n), ...(body as object) } as never);
        return { id: next++ };
      },
    ],
    ["POST", new RegExp(`^${at}/statuses/([0-9a-f]+)$`), (_, body: never) => statuses.push(body)],
    [
      "GET",
      new RegExp(`^${at}/git/ref/heads/(.+)$`),
      ([, name]) => {
        try {
          return { object: { sha: tip(decodeURIComponent(name!)) } };
        } catch {
          return missing();
        }
      },
    ],
    [
      "GET",
      new RegExp(`^${at}/git/commits/([0-9a-f]+)$`),
      ([, sha]) => ({
        tree: { sha: git(["rev-parse", `${sha}^{tree}`]) },
        parents: git(["rev-list", "--parents", "-n1", sha!])
          .split(" ")
          .slice(1)
          .map((parent) => ({ sha: parent })),
      }),
    ],
    [
      "GET",
      new RegExp(`^${at}/git/trees/([0-9a-f]+)$`),
      ([, sha]) => ({
        tree: git(["ls-tree", "-z", sha!])
          .split("\0")
          .filter(Boolean)
          .map((line) => {
            const [about, path] = [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)];
            const [mode, type, id] = about.split(" ");
            return { mode, type, sha: id, path };
          }),
      }),
    ],
    [
      "POST",
      new RegExp(`^${at}/git/blobs$`),
      (_, { content }: { content: string }) => ({
        sha: git(["hash-object", "-w", "--stdin"], Buffer.from(content, "base64")),
      }),
    ],
    [
      "POST",
      new RegExp(`^${at}/git/trees$`),
      (
        _,
        { base_tree, tree }: { base_tree: string; tree: { path: string; mode: string; sha: string }[] },
      ) => ({ sha: writeTree(base_tree, tree) }),
    ],
    [
      "POST",
      new RegExp(`^${at}/git/commits$`),
      (_, { message, tree, parents }: { message: string; tree: string; parents: string[] }) => ({
        sha: git(["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", message]),
      }),
    ],
    [
      "POST",
      new RegExp(`^${at}/git/refs$`),
      (_, { ref, sha }: { ref: string; sha: string }) => git(["update-ref", ref, sha, ""]),
    ],
    [
      "PATCH",
      new RegExp(`^${at}/git/refs/heads/(.+)$`),
      ([, name], { sha, force }: { sha: string; force: boolean }) => {
        const ref = `refs/heads/${decodeURIComponent(name!)}`;
        if (!force && git(["merge-base", sha, ref]) !== git(["rev-parse", ref]))
          throw new Status(422, "Update is not a fast forward");
        git(["update-ref", ref, sha]);
        return {};
      },
    ],
  ];
  function writeTree(base: string, entries: { path: string; mode: string; sha: string }[]): string {
    const index = `${bare}/index-${next++}`;
    const run = (args: string[]) =>
      execFileSync("git", args, {
        cwd: bare,
        encoding: "utf8",
        env: { ...process.env, GIT_INDEX_FILE: index },
      }).trim();
    run(["read-tree", base]);
    for (const { path, mode, sha } of entries) run(["update-index", "--cacheinfo", `${mode},${sha},${path}`]);
    return run(["write-tree"]);
  }
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const url = new URL(request.url ?? "/", "http://fake");
    const method = request.method ?? "GET";
    received.push({
      method,
      path: url.pathname + url.search,
      token: request.headers.authorization ?? "",
      body: text,
    });
    const send = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(value === undefined ? "" : JSON.stringify(value));
    };
    const spoil = spoiled.findIndex(({ when }) => when(method, url.pathname));
    const bad = spoil < 0 ? undefined : spoiled.splice(spoil, 1)[0];
    if (bad && !bad.after) return send(bad.status, bad.body ?? { message: "spoiled" }, bad.headers);
    const route = routes.find(([verb, pattern]) => verb === method && pattern.test(url.pathname));
    if (!route) return send(404, { message: "Not Found" });
    try {
      const value = route[2](
        route[1].exec(url.pathname)!,
        (text === "" ? {} : JSON.parse(text)) as never,
        url.searchParams,
      );
      if (bad) return send(bad.status, bad.body ?? { message: "spoiled" }, bad.headers);
      if (!Array.isArray(value)) return send(method === "POST" ? 201 : 200, value);
      const size = Math.min(pageSize, Number(url.searchParams.get("per_page") ?? 30));
      const page = Number(url.searchParams.get("page") ?? 1);
      const isMore = value.length > page * size;
      send(
        200,
        value.slice((page - 1) * size, page * size),
        isMore ? { link: `<https://elsewhere.test/?page=${page + 1}>; rel="next"` } : {},
      );
    } catch (error) {
      if (error instanceof Status) return send(error.status, { message: error.message });
      send(422, { message: String((error as Error).message).slice(0, 200) });
    }
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    comments,
    reviews,
    pulls,
    statuses,
    repositories,
    spoiled,
    tip,
    git,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

class Status extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
