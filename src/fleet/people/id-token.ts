import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";

/** What an ID token must say. */
export type ExpectedClaims = {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** The time now, in milliseconds. */
  readonly now: number;
};

export type IdClaims = z.infer<typeof claimsSchema> & Readonly<Record<string, unknown>>;

/** A public key as a provider lists it. */
export type ListedKey = JsonWebKey & { readonly kid?: string; readonly use?: string };

const algorithms: Readonly<Record<string, { readonly type: string; readonly hash: string }>> = {
  RS256: { type: "rsa", hash: "sha256" },
  RS384: { type: "rsa", hash: "sha384" },
  RS512: { type: "rsa", hash: "sha512" },
  ES256: { type: "ec", hash: "sha256" },
  ES384: { type: "ec", hash: "sha384" },
};

/** The claims of an ID token whose signature, issuer, audience, times and nonce are right; else null. */
export function readIdToken(
  token: string,
  keys: readonly ListedKey[],
  expected: ExpectedClaims,
): IdClaims | null {
  const parts = token.split(".");
  const [head = "", body = "", signature = ""] = parts;
  const header = headerSchema.safeParse(decode(head));
  const claims = claimsSchema.safeParse(decode(body));
  if (parts.length !== 3 || !header.success || !claims.success) return null;
  const signed = Buffer.from(`${head}.${body}`);
  const isSigned = keys
    .filter(
      ({ kid, use = "sig" }) => use === "sig" && (header.data.kid === undefined || kid === header.data.kid),
    )
    .some((key) =>
      isSignedBy(key, header.data.alg, { signed, signature: Buffer.from(signature, "base64url") }),
    );
  return isSigned && isExpected(claims.data, expected) ? (claims.data as IdClaims) : null;
}

function isSignedBy(
  listed: ListedKey,
  name: string,
  { signed, signature }: { readonly signed: Buffer; readonly signature: Buffer },
): boolean {
  const algorithm = algorithms[name];
  const key = algorithm && parseKey(listed);
  // The key decides the kind of algorithm, never the token.
  if (!key || key.asymmetricKeyType !== algorithm.type) return false;
  return verify(algorithm.hash, signed, { key, dsaEncoding: "ieee-p1363" }, signature);
}

function parseKey(key: ListedKey): KeyObject | null {
  try {
    return createPublicKey({ key, format: "jwk" });
  } catch {
    return null;
  }
}

/** How far the clocks of the provider and of this machine may be apart, in seconds. */
const tolerance = 120;

function isExpected(claims: z.infer<typeof claimsSchema>, expected: ExpectedClaims): boolean {
  const now = expected.now / 1000;
  const audience = [claims.aud].flat();
  return (
    claims.iss === expected.issuer &&
    audience.includes(expected.clientId) &&
    (audience.length === 1 || claims.azp === expected.clientId) &&
    claims.exp > now - tolerance &&
    (claims.nbf ?? 0) < now + tolerance &&
    claims.nonce === expected.nonce
  );
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    return null;
  }
}

const headerSchema = z.object({ alg: z.string(), kid: z.string().optional() });
const claimsSchema = z.looseObject({
  iss: z.string(),
  sub: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  exp: z.number(),
  nbf: z.number().optional(),
  nonce: z.string(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
});
