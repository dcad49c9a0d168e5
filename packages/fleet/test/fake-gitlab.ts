import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type AskedCommit, commitAsGitLab } from "../../../test/ci/gitlab-commit.ts";
import { gitIn } from "./generate.ts";

type MergeRequest = {
  readonly iid: number;
  readonly source_branch: string;
  readonly target_branch: string;
  title: string;
  description: string;
  state: "opened" | "closed";
};

type Reply = {
  readonly status: number;
  readonly value: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

const missing: Reply = { status: 404, value: { message: "404 Not Found" } };

/**
 * A code host that speaks as much of GitLab's REST API as is asked of it, over real repositories. Unlike the real one it
 * opens a second merge request for the same branch without complaint, so that doing something twice can be seen.
 */
export async function startFakeGitLab(folderOf: (project: string) => string | null) {
  const requests = new Map<string, MergeRequest[]>();
  const groups = new Map<string, readonly object[]>();
  const tokens = new Set<string>();
  const asked: string[] = [];
  const losing: RegExp[] = [];
  const notes = new Map<string, Note[]>();
  const issues = new Map<string, Issue[]>();

  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request);
      const { method = "GET" } = request;
      const url = new URL(request.url ?? "/", "http://fake");
      tokens.add(String(request.headers["private-token"]));
      const key = `${method} ${url.pathname}`;
      asked.push(`${key}${url.search}`);
      const { status, value, headers = {} } = answer(method, url, body);
      const lost = losing.findIndex((pattern) => pattern.test(key));
      if (lost !== -1) {
        losing.splice(lost, 1);
        return void response.destroy();
      }
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(value));
    })().catch(() => response.writeHead(500).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let onRequest: (request: string) => void = () => {};

  function answer(method: string, url: URL, body: Record<string, unknown>): Reply {
    const [, kind = "", encoded = "", ...rest] = url.pathname.split("/");
    const name = decodeURIComponent(encoded);
    if (kind === "user") return ok({ id: 7 });
    if (kind === "groups" && rest.join("/") === "projects") return listGroup(name, url);
    const folder = kind === "projects" ? folderOf(name) : null;
    if (folder === null) return missing;
    onRequest(`${method} ${rest.join("/")}`);
    if (rest.length === 0) return ok(projectOf(name));
    if (rest[0] === "repository") return answerGit(folder, method, rest.slice(1), url, body);
    if (rest[0] === "members") return memberOf(Number(rest[2]));
    if (rest[0] === "merge_requests" && rest[2] === "notes") return ok(notes.get(`${name}!${rest[1]}`) ?? []);
    if (rest[0] === "issues") return answerIssue(name, method, rest[1], body);
    return rest[0] === "merge_requests" ? answerRequest(name, folder, method, rest[1], url, body) : missing;
  }

  function answerIssue(
    project: string,
    method: string,
    iid: string | undefined,
    body: Record<string, unknown>,
  ): Reply {
    const all = issues.get(project) ?? [];
    issues.set(project, all);
    if (method === "GET") return ok(all.filter(({ state }) => state === "opened"));
    if (iid === undefined) {
      const opened: Issue = {
        iid: all.length + 1,
        web_url: `https://gitlab.test/${project}/-/issues/${all.length + 1}`,
        description: String(body.description),
        state: "opened",
        author: { id: 7 },
      };
      all.push(opened);
      return { status: 201, value: opened };
    }
    const one = all.find((each) => String(each.iid) === iid);
    if (!one) return missing;
    if (body.state_event === "close") one.state = "closed";
    if (typeof body.description === "string") one.description = body.description;
    return ok(one);
  }

  function listGroup(name: string, url: URL): Reply {
    const all = groups.get(name);
    if (!all) return missing;
    const page = Number(url.searchParams.get("page") ?? 1);
    const size = Math.min(100, Number(url.searchParams.get("per_page") ?? 20));
    const next = page * size < all.length ? String(page + 1) : "";
    return { ...ok(all.slice((page - 1) * size, page * size)), headers: { "x-next-page": next } };
  }

  function answerRequest(
    project: string,
    folder: string,
    method: string,
    iid: string | undefined,
    url: URL,
    body: Record<string, unknown>,
  ): Reply {
    const all = requests.get(project) ?? [];
    requests.set(project, all);
    const shown = (one: MergeRequest) => ({
      ...one,
      web_url: `https://gitlab.test/${project}/-/merge_requests/${one.iid}`,
      sha: tipOf(folder, one.source_branch),
      source_project_id: 1,
      target_project_id: 1,
    });
    if (iid !== undefined) {
      const one = all.find((each) => String(each.iid) === iid);
      if (!one) return missing;
      const { state_event, ...more } = body;
      Object.assign(one, more, state_event === "close" ? { state: "closed" } : {});
      return ok(shown(one));
    }
    if (method === "GET") {
      const wanted = ["state", "source_branch", "target_branch"] as const;
      return ok(
        all.filter((one) => wanted.every((field) => one[field] === url.searchParams.get(field))).map(shown),
      );
    }
    const { title, description, source_branch, target_branch } = body as Record<string, string>;
    if (tipOf(folder, source_branch!) === null) return { status: 400, value: { message: "no such branch" } };
    const opened: MergeRequest = {
      iid: all.length + 1,
      source_branch: source_branch!,
      target_branch: target_branch!,
      title: title!,
      description: description!,
      state: "opened",
    };
    all.push(opened);
    return { status: 201, value: shown(opened) };
  }

  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: asked as readonly string[],
    tokens: tokens as ReadonlySet<string>,
    issuesOf: (project: string): readonly Issue[] => issues.get(project) ?? [],
    requestsOf: (project: string): readonly MergeRequest[] => requests.get(project) ?? [],
    /** Adds a comment to a merge request. People with a number below 100 may write to every project. */
    addNote: (project: string, iid: number, author: number, body: string): void => {
      const all = notes.get(`${project}!${iid}`) ?? [];
      all.push({ id: all.length + 1, body, author: { id: author, username: `user-${author}` } });
      notes.set(`${project}!${iid}`, all);
    },
    /** What a group lists; archived projects and forks among them. */
    setGroup: (name: string, projects: readonly Parameters<typeof projectOf>[]): void =>
      void groups.set(
        name,
        projects.map((each) => projectOf(...each)),
      ),
    /** The next matching request is carried out, and its response is lost. */
    loseAnswerTo: (pattern: RegExp): void => void losing.push(pattern),
    /** Responses that should be lost and whose requests never came. */
    unlost: (): number => losing.length,
    /** Called before each request about a project is answered, with its method and path. */
    onRequest: (call: typeof onRequest): void => {
      onRequest = call;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Issue = {
  readonly iid: number;
  readonly web_url: string;
  readonly author: { readonly id: number };
  description: string;
  state: "opened" | "closed";
};

type Note = {
  readonly id: number;
  readonly body: string;
  readonly author: { readonly id: number; readonly username: string };
};

function memberOf(user: number): Reply {
  return user < 100 ? ok({ access_level: 40 }) : missing;
}

function answerGit(
  folder: string,
  method: string,
  [kind, encoded = ""]: readonly string[],
  url: URL,
  body: Record<string, unknown>,
): Reply {
  const name = decodeURIComponent(encoded);
  if (kind === "branches") {
    const id = tipOf(folder, name);
    return id === null
      ? missing
      : ok({ commit: { id, message: gitIn(folder, "log", "-1", "--format=%B", id) } });
  }
  if (kind === "files")
    return ok({ blob_id: gitIn(folder, "rev-parse", `${url.searchParams.get("ref")}:${name}`) });
  if (kind !== "commits" || method !== "POST") return missing;
  const wanted = body as unknown as AskedCommit;
  if (wanted.start_sha !== undefined && !wanted.force && tipOf(folder, wanted.branch) !== null)
    return { status: 400, value: { message: "A branch called that already exists" } };
  return { status: 201, value: { id: commitAsGitLab(folder, wanted) } };
}

function tipOf(folder: string, branch: string): string | null {
  return gitIn(folder, "for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`) || null;
}

function projectOf(name: string, more: { archived?: boolean; forked_from_project?: object } = {}) {
  return {
    path_with_namespace: name,
    default_branch: "main",
    http_url_to_repo: `https://gitlab.test/${name}.git`,
    web_url: `https://gitlab.test/${name}`,
    visibility: "private",
    archived: false,
    ...more,
  };
}

function ok(value: unknown): Reply {
  return { status: 200, value };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return pieces.length === 0 ? {} : JSON.parse(Buffer.concat(pieces).toString());
}
