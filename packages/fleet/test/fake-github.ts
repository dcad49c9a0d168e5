import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** How often, between 0 and 1, the host fails: before it carries out a request, or afterwards. */
export type Faults = {
  readonly breaks?: number;
  readonly breaksAfter?: number;
  readonly limits?: number;
  readonly hangs?: number;
  readonly hangsAfter?: number;
  /** Seconds that a limited client is told to wait. */
  readonly retryAfter?: number;
};

type Pull = {
  number: number;
  head: string;
  base: string;
  title: string;
  body: string;
  state: "open" | "closed";
  draft?: boolean;
  labels?: unknown;
  reviewers?: unknown;
};
type Entry = { path: string; mode: string; type: string; sha: string };

type Comment = {
  readonly id: number;
  readonly request: number;
  body: string;
  /** Whose it is, if it is not ours, and what the host calls them. */
  readonly author?: string;
  readonly role?: string;
};

type Issue = { readonly number: number; readonly labels: unknown; body: string; state: "open" | "closed" };

/** The host's data about one repository that is not in git. */
type FakeRepository = {
  readonly folder: string;
  readonly pulls: Pull[];
  readonly issues: Issue[];
  readonly refs: Map<string, string>;
  readonly comments: Comment[];
  moves: number;
};

/**
 * A code host that speaks as much of GitHub's REST API as is asked of it, over real repositories. Unlike the real one
 * it opens a second request for the same branch without complaint, so that doing something twice can be seen.
 */
export async function startFakeGitHub(folderOf: (repository: string) => string | null, faults: Faults = {}) {
  const shelves = new Map<string, FakeRepository>();
  const organisations = new Map<string, readonly object[]>();
  const counts: Record<string, number> = {};
  let trouble: Faults = faults;
  let commits = 0;
  /** The tokens that were used for the repositories of each owner. */
  const tokens = new Map<string, Set<string>>();
  const limited = new Map<string, number>();
  const userFaults: { status: number; headers?: Record<string, string> }[] = [];
  let onRequest: (request: string) => void = () => {};
  const hidden = new Set<string>();
  const archived = new Set<string>();
  const withoutIssues = new Set<string>();
  const branches = new Map<string, string>();
  /** The new names of repositories that were renamed or transferred. */
  const moved = new Map<string, string>();
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const shelfOf = (repository: string): FakeRepository | null => {
    const known = shelves.get(repository);
    if (known) return known;
    const folder = folderOf(repository);
    if (folder === null) return null;
    const shelf: FakeRepository = {
      folder,
      pulls: [],
      issues: [],
      refs: new Map(),
      comments: [],
      moves: 0,
    };
    shelves.set(repository, shelf);
    return shelf;
  };

  const server = createServer((request, response) => {
    void (async () => {
      const body = await readJson(request);
      const dice = Math.random();
      const { breaks = 0, breaksAfter = 0, limits = 0, hangs = 0, hangsAfter = 0, retryAfter = 1 } = trouble;
      const stages = [breaks, limits, hangs, breaksAfter, hangsAfter];
      const names = ["500 before", "429", "hung before", "500 after", "hung after"];
      let sum = 0;
      const fault = names[stages.findIndex((part) => dice < (sum += part))];
      count("requests");
      if (fault) count(fault);
      if (fault === "500 before") return void response.writeHead(500).end("{}");
      if (fault === "429")
        return void response.writeHead(429, { "retry-after": String(retryAfter) }).end("{}");
      if (fault === "hung before") return;
      const { status, value, headers } = await answer(
        request.method ?? "GET",
        new URL(request.url ?? "/", "http://fake"),
        { ...body, token: (request.headers.authorization ?? "").replace("Bearer ", "") },
      );
      if (fault === "500 after") return void response.writeHead(500).end("{}");
      if (fault === "hung after") return;
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(value));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  async function answer(
    method: string,
    url: URL,
    body: Record<string, unknown>,
  ): Promise<{ status: number; value: unknown; headers?: Record<string, string> }> {
    const ok = (value: unknown, status = 200) => ({ status, value });
    const missing = ok({ message: "Not Found" }, 404);
    if (url.pathname === "/user") {
      count("GET /user");
      const fault = userFaults.shift();
      if (fault) return { status: fault.status, value: {}, headers: fault.headers ?? {} };
      return ok({ login: "suture" });
    }
    const installed = /^\/orgs\/([^/]+)\/installation$/.exec(url.pathname);
    if (installed) return ok({ id: 1000 + installed[1]!.length });
    const exchanged = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(url.pathname);
    if (exchanged)
      return ok({ token: `ghs_${exchanged[1]}`, expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    const listed = /^\/orgs\/([^/]+)\/repos$/.exec(url.pathname);
    if (listed) {
      const all = organisations.get(decodeURIComponent(listed[1]!));
      const page = Number(url.searchParams.get("page") ?? 1);
      const size = Math.min(100, Number(url.searchParams.get("per_page") ?? 30));
      const link = all && page * size < all.length ? { link: `<${url.pathname}>; rel="next"` } : {};
      return all ? { ...ok(all.slice((page - 1) * size, page * size)), headers: link } : missing;
    }
    const at = /^\/repos\/([^/]+\/[^/]+)(?:\/(.*))?$/.exec(decodeURIComponent(url.pathname));
    if (at && hidden.has(at[1]!)) return missing;
    const newName = at && moved.get(at[1]!);
    if (newName) {
      const location = `${url.pathname.replace(at[1]!, newName)}${url.search}`;
      return { status: method === "GET" ? 301 : 307, value: {}, headers: { location } };
    }
    const shelf = at && shelfOf(at[1]!);
    if (!at || !shelf) return missing;
    if (method !== "GET" && archived.has(at[1]!))
      return ok({ message: "Repository was archived so is read-only." }, 403);
    const [, repository = "", rest = ""] = at;
    const owner = repository.split("/", 1).join();
    tokens.set(owner, (tokens.get(owner) ?? new Set()).add(String(body.token)));
    if (limited.has(owner))
      return { status: 429, value: {}, headers: { "retry-after": String(limited.get(owner)) } };
    const key = `${method} ${rest}`;
    onRequest(key);
    if (rest === "")
      return ok({
        ...aboutOf(repository, { archived: archived.has(repository) }),
        default_branch: branches.get(repository) ?? "main",
      });
    if (key.startsWith("GET git/commits/")) {
      const id = rest.slice("git/commits/".length);
      const [tree = "", ...message] = (await git(shelf, ["log", "-1", "--format=%T%n%B", id])).split("\n");
      return ok({ sha: id, tree: { sha: tree }, message: message.join("\n") });
    }
    if (key.startsWith("GET git/trees/")) {
      const id = rest.slice("git/trees/".length);
      return ok({ sha: id, tree: await listTree(shelf, id) });
    }
    if (key === "POST git/blobs") {
      const bytes = Buffer.from(String(body.content), "base64");
      return ok({ sha: await git(shelf, ["hash-object", "-w", "--stdin"], { input: bytes }) }, 201);
    }
    if (key === "POST git/trees") {
      return ok({ sha: await makeTree(shelf, String(body.base_tree), body.tree as Entry[]) }, 201);
    }
    if (key === "POST git/commits") {
      // As on the real host, the same commit made at another time is another commit.
      return ok({ sha: await commitTree(shelf, body, ++commits) }, 201);
    }
    if (key.startsWith("GET git/ref/heads/")) {
      const sha = shelf.refs.get(rest.slice("git/ref/heads/".length));
      return sha === undefined ? missing : ok({ object: { sha } });
    }
    if (key === "POST git/refs") {
      const name = String(body.ref).replace("refs/heads/", "");
      if (shelf.refs.has(name)) return ok({ message: "Reference already exists" }, 422);
      shelf.refs.set(name, String(body.sha));
      shelf.moves++;
      return ok({}, 201);
    }
    if (key.startsWith("PATCH git/refs/heads/")) {
      shelf.refs.set(rest.slice("git/refs/heads/".length), String(body.sha));
      shelf.moves++;
      return ok({});
    }
    if (key === "GET pulls") {
      const [headOwner, head] = url.searchParams.get("head")?.split(":") ?? [];
      const base = url.searchParams.get("base");
      return ok(
        shelf.pulls
          .filter((pull) => pull.state === "open" && pull.head === head && pull.base === base)
          .filter(() => headOwner === owner)
          .map(shown(shelf, repository)),
      );
    }
    if (key === "POST pulls") {
      const pull: Pull = {
        number: shelf.pulls.length + 1,
        head: String(body.head),
        base: String(body.base),
        title: String(body.title),
        body: String(body.body),
        state: "open",
        draft: body.draft === true,
      };
      shelf.pulls.push(pull);
      return ok(shown(shelf, repository)(pull), 201);
    }
    if (/ issues(\/\d+)?$/.test(key) && withoutIssues.has(repository))
      return ok({ message: "Issues are disabled for this repo" }, 410);
    if (key === "GET issues") {
      const label = url.searchParams.get("labels");
      const open = shelf.issues.filter(({ state, labels }) => state === "open" && `${labels}` === label);
      return ok(open.map(shownIssue(repository)));
    }
    if (key === "POST issues") {
      const number = 1001 + shelf.issues.length;
      const issue: Issue = { number, labels: body.labels, body: String(body.body), state: "open" };
      shelf.issues.push(issue);
      return ok(shownIssue(repository)(issue), 201);
    }
    const changedIssue = /^PATCH issues\/(\d+)$/.exec(key);
    if (changedIssue) {
      const issue = shelf.issues.find(({ number }) => number === Number(changedIssue[1]));
      if (!issue) return missing;
      count("PATCH issue");
      const { token: _, ...changed } = body;
      return ok(shownIssue(repository)(Object.assign(issue, changed)));
    }
    const decorated = /^POST (?:pulls|issues)\/(\d+)\/(labels|requested_reviewers)$/.exec(key);
    if (decorated) {
      const own = shelf.pulls.find((pull) => pull.number === Number(decorated[1]));
      if (!own) return missing;
      if (decorated[2] === "labels") own.labels = body.labels;
      else own.reviewers = body;
      return ok({}, 201);
    }
    const request = /^(GET|POST) (?:pulls|issues)\/(\d+)(?:\/(files|comments))?$/.exec(key);
    if (request) {
      const number = Number(request[2]);
      const talk = shelf.comments.filter((comment) => comment.request === number).map(spoken);
      if (request[3] === "files") return ok([]);
      if (request[3] === "comments" && method === "GET") return ok(rest.startsWith("pulls") ? [] : talk);
      if (request[3] === "comments") {
        const comment = { id: shelf.comments.length + 1, request: number, body: String(body.body) };
        shelf.comments.push(comment);
        return ok(spoken(comment), 201);
      }
      const own = shelf.pulls.find((pull) => pull.number === number);
      if (own) return ok(shown(shelf, repository)(own));
      const pull = {
        number,
        head: "feature",
        base: "main",
        title: "A change",
        body: "",
        state: "open" as const,
      };
      const sha = await git(shelf, ["rev-parse", `refs/pull/${number}/head`]);
      return ok({
        ...shown(shelf, repository)(pull),
        head: { ref: "feature", sha, repo: { full_name: repository } },
      });
    }
    if (key.startsWith("PATCH issues/comments/")) {
      const comment = shelf.comments.find(({ id }) => id === Number(rest.split("/").at(-1)));
      if (comment) comment.body = String(body.body);
      return comment ? ok(spoken(comment)) : missing;
    }
    if (key.startsWith("PATCH pulls/")) {
      const pull = shelf.pulls.find(({ number }) => number === Number(rest.slice("pulls/".length)));
      if (!pull) return missing;
      Object.assign(pull, body);
      return ok(shown(shelf, repository)(pull));
    }
    return missing;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    shelves: shelves as ReadonlyMap<string, FakeRepository>,
    /** The text of a file on a branch as it was last written there. */
    read(repository: string, branch: string, path: string): string | null {
      const shelf = shelves.get(repository);
      const commit = shelf?.refs.get(branch);
      return shelf && commit !== undefined ? gitNow(shelf, ["show", `${commit}:${path}`]) : null;
    },
    /** What an organisation lists; archived repositories and forks among them. */
    setOrganisation: (name: string, repositories: readonly Parameters<typeof aboutOf>[]): void =>
      void organisations.set(
        name,
        repositories.map((each) => aboutOf(...each)),
      ),
    tokens: tokens as ReadonlyMap<string, ReadonlySet<string>>,
    /** Answers requests about an owner's repositories with a rate limit. */
    limit: (owner: string, seconds: number): void => void limited.set(owner, seconds),
    unlimit: (owner: string): void => void limited.delete(owner),
    /** Called before each request about a repository is answered, with its method and path. */
    onRequest: (call: typeof onRequest): void => {
      onRequest = call;
    },
    /** The token may no longer see a repository: the host answers as if there were none. */
    hide: (repository: string): void => void hidden.add(repository),
    show: (repository: string): void => void hidden.delete(repository),
    turnOffIssues: (repository: string): void => void withoutIssues.add(repository),
    archive: (repository: string): void => void archived.add(repository),
    unarchive: (repository: string): void => void archived.delete(repository),
    /** Renames or transfers a repository. Its old name leads to the new one. */
    move: (from: string, to: string): void => {
      const shelf = shelfOf(from);
      if (shelf) shelves.set(to, shelf);
      moved.set(from, to);
    },
    /** As on the real host, open pull requests follow a default branch that is renamed. */
    renameBranch: (repository: string, to: string): void => {
      const from = branches.get(repository) ?? "main";
      branches.set(repository, to);
      for (const pull of shelfOf(repository)?.pulls ?? [])
        if (pull.state === "open" && pull.base === from) pull.base = to;
    },
    /** The next answers to `GET /user`. */
    failUser: (...faults: typeof userFaults): void => void userFaults.push(...faults),
    setFaults: (next: Faults) => {
      trouble = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function aboutOf(repository: string, more: { archived?: boolean; fork?: boolean } = {}) {
  return {
    full_name: repository,
    default_branch: "main",
    clone_url: `https://fake/${repository}.git`,
    html_url: `https://fake/${repository}`,
    private: false,
    fork: false,
    archived: false,
    ...more,
  };
}

function shown(shelf: FakeRepository, repository: string) {
  return ({ number, head, base, title, body, state }: Pull) => ({
    number,
    html_url: `https://fake/${repository}/pull/${number}`,
    title,
    body,
    state,
    head: { ref: head, sha: shelf.refs.get(head) ?? "0".repeat(40), repo: { full_name: repository } },
    base: { ref: base, sha: null },
  });
}

function shownIssue(repository: string) {
  return ({ number, body, state }: Issue) => ({
    number,
    body,
    state,
    html_url: `https://fake/${repository}/issues/${number}`,
    user: { login: "suture" },
  });
}

function spoken({ id, body, author = "suture", role = "MEMBER" }: Comment) {
  const html_url = `https://fake/comment/${id}`;
  return { id, body, html_url, user: { login: author }, author_association: role };
}

async function listTree(shelf: FakeRepository, id: string): Promise<Entry[]> {
  return (await git(shelf, ["ls-tree", "-z", id]))
    .split("\0")
    .filter(Boolean)
    .map((line) => {
      const [about = "", path = ""] = line.split(/\t(.*)/s);
      const [mode = "", type = "", sha = ""] = about.split(" ");
      return { mode, type, sha, path };
    });
}

type GitInput = { readonly input?: string | Buffer; readonly env?: Record<string, string> };

/** Git in a process that nothing else waits for, so that one slow answer does not hold up the others. */
function git({ folder }: FakeRepository, args: readonly string[], { input = "", env = {} }: GitInput = {}) {
  return new Promise<string>((resolve, reject) => {
    const child = spawn("git", args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", "ignore"],
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      out += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(out.trim()) : reject(new Error(`git ${args[0]}: ${code}`)),
    );
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

function gitNow({ folder }: FakeRepository, args: readonly string[]): string {
  return execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
  }).trim();
}

async function makeTree(shelf: FakeRepository, base: string, entries: readonly Entry[]): Promise<string> {
  const env = { GIT_INDEX_FILE: join(shelf.folder, `index-${randomUUID()}`) };
  await git(shelf, ["read-tree", base], { env });
  const input = entries.map(({ mode, sha, path }) => `${mode} ${sha}\t${path}\0`).join("");
  await git(shelf, ["update-index", "-z", "--index-info"], { env, input });
  const tree = await git(shelf, ["write-tree"], { env });
  rmSync(env.GIT_INDEX_FILE);
  return tree;
}

/** The same commit made at another time is another commit. */
function commitTree(shelf: FakeRepository, body: Record<string, unknown>, time: number): Promise<string> {
  const parents = (body.parents as string[]).flatMap((parent) => ["-p", parent]);
  const when = `${1_700_000_000 + time} +0000`;
  const env = {
    GIT_AUTHOR_NAME: "suture",
    GIT_AUTHOR_EMAIL: "suture@example.org",
    GIT_AUTHOR_DATE: when,
    GIT_COMMITTER_NAME: "suture",
    GIT_COMMITTER_EMAIL: "suture@example.org",
    GIT_COMMITTER_DATE: when,
  };
  return git(shelf, ["commit-tree", String(body.tree), ...parents], { input: String(body.message), env });
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return pieces.length === 0 ? {} : JSON.parse(Buffer.concat(pieces).toString());
}
