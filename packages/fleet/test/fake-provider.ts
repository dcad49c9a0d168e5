import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** The person who signs in next, and claims that replace the right ones. */
export type SigningIn = {
  readonly email: string;
  readonly groups?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Replaces the algorithm in the header, or leaves the signature out. */
  readonly forged?: "none" | "HS256" | "other-key";
};

const client = { id: "fleet", secret: "client-secret" };

/** A sign-in provider that speaks OpenID Connect and asks nothing. */
export async function startFakeProvider() {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const codes = new Map<string, { challenge: string; nonce: string; redirect: string; who: SigningIn }>();
  let next: SigningIn = { email: "ann@example.org" };
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "key-1", use: "sig", alg: "RS256" };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

  function idToken(nonce: string, { email, groups = [], claims = {}, forged }: SigningIn): string {
    const now = Math.floor(Date.now() / 1000);
    const alg = forged === "none" || forged === "HS256" ? forged : "RS256";
    const body = { iss: url, sub: email, aud: client.id, exp: now + 300, iat: now, nonce, groups };
    const signed = `${encode({ alg, kid: "key-1" })}.${encode({ ...body, email, email_verified: true, ...claims })}`;
    if (forged === "none") return `${signed}.`;
    const key = forged === "other-key" ? other : privateKey;
    return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
  }

  const server = createServer((request, response) => {
    void (async () => {
      const at = new URL(request.url ?? "/", url);
      const answer = (value: unknown, status = 200): void =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      if (at.pathname === "/.well-known/openid-configuration")
        return answer({
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/keys`,
        });
      if (at.pathname === "/keys") return answer({ keys: [jwk] });
      if (at.pathname === "/authorize") {
        const given = (name: string): string => at.searchParams.get(name) ?? "";
        const code = randomUUID();
        const redirect = given("redirect_uri");
        codes.set(code, { challenge: given("code_challenge"), nonce: given("nonce"), redirect, who: next });
        const back = `${redirect}?code=${code}&state=${encodeURIComponent(given("state"))}`;
        return void response.writeHead(302, { location: back }).end();
      }
      const form = new URLSearchParams(await readText(request));
      const granted = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`;
      const isRight =
        granted?.challenge === challenge &&
        granted.redirect === form.get("redirect_uri") &&
        request.headers.authorization === basic;
      if (!granted || !isRight) return answer({ error: "invalid_grant" }, 400);
      answer({ token_type: "Bearer", id_token: idToken(granted.nonce, granted.who) });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    options: { issuer: url, clientId: client.id, clientSecret: client.secret, groupsClaim: "groups" },
    signInAs: (who: SigningIn): void => {
      next = who;
    },
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
