import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A certificate for these names, made for one test; null where there is no openssl. */
export function makeCertificate(folder: string, names: readonly string[]): string | null {
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "certificate.pem")];
  const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`;
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test"];
  try {
    execFileSync("openssl", [...args, ...files, "-addext", alternatives], { stdio: "ignore" });
    return folder;
  } catch {
    return null;
  }
}

/** A host that serves repositories over https and counts the requests that carry a credential. */
export async function startCountingHost(options: {
  readonly certificate: string;
  /** Repositories by their path, such as `/acme/api.git`. */
  readonly repositories?: Readonly<Record<string, string>>;
  /** The answer to a path, if it is a redirect. */
  readonly redirect?: (path: string) => string | null;
}) {
  const seen = { requests: 0, credentials: [] as string[] };
  const tls = {
    key: readFileSync(join(options.certificate, "key.pem")),
    cert: readFileSync(join(options.certificate, "certificate.pem")),
  };
  const server = createServer(tls, (request, response) => {
    seen.requests++;
    for (const name of ["authorization", "private-token"])
      if (request.headers[name] !== undefined) seen.credentials.push(String(request.headers[name]));
    const to = options.redirect?.(request.url ?? "") ?? null;
    if (to !== null) return void response.writeHead(302, { location: to }).end();
    serveGit(options.repositories ?? {}, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Git's own server program, as a web server calls it. */
function serveGit(
  repositories: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { pathname, search } = new URL(request.url ?? "/", "https://host");
  const name = Object.keys(repositories).find((path) => pathname.startsWith(`${path}/`));
  if (name === undefined) return void response.writeHead(404).end();
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: repositories[name]!,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      PATH_INFO: pathname.slice(name.length),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: String(request.headers["content-type"] ?? ""),
      HTTP_CONTENT_ENCODING: String(request.headers["content-encoding"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const out: Buffer[] = [];
  request.pipe(child.stdin);
  child.stdin.on("error", () => {});
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.on("close", () => {
    const all = Buffer.concat(out);
    const cut = all.indexOf("\r\n\r\n");
    const headers = all
      .subarray(0, cut)
      .toString()
      .split("\r\n")
      .map((line) => line.split(": ") as [string, string]);
    const status = headers.find(([key]) => key === "Status")?.[1] ?? "200";
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers));
    response.end(all.subarray(cut + 4));
  });
}
