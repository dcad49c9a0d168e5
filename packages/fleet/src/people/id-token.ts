import { createLocalJWKSet, type JWK, jwtVerify } from "jose";
import { z } from "zod";

/** What an ID token must say. */
export type ExpectedClaims = {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** The time now, in milliseconds. */
  readonly now: number;
};

export type IdClaims = z.infer<typeof claimsSchema>;

/** How far the clocks of the provider and of this machine may be apart, in seconds. */
const tolerance = 120;

/** Signatures with a key that only the provider has. */
const algorithms = ["RS256", "RS384", "RS512", "ES256", "ES384"];

/** The claims of an ID token whose signature, issuer, audience, times and nonce are right; else null. */
export async function readIdToken(
  token: string,
  keys: readonly JWK[],
  { issuer, clientId, nonce, now }: ExpectedClaims,
): Promise<IdClaims | null> {
  const verified = await jwtVerify(token, createLocalJWKSet({ keys: [...keys] }), {
    issuer,
    audience: clientId,
    algorithms,
    clockTolerance: tolerance,
    currentDate: new Date(now),
  }).catch(() => null);
  const claims = claimsSchema.safeParse(verified?.payload);
  if (!claims.success || claims.data.nonce !== nonce) return null;
  const isForUsAlone = [claims.data.aud].flat().length === 1 || claims.data.azp === clientId;
  return isForUsAlone ? claims.data : null;
}

const claimsSchema = z.looseObject({
  sub: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  exp: z.number(),
  nonce: z.string(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
});
