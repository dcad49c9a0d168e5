import { createHash, randomBytes } from "node:crypto";
import type { Query } from "../store/database.ts";
import { type MemberRole, type Viewer, viewerOf } from "./viewer.ts";

/** A role of a person or a group in one organisation, or in all of them. */
export type Member = { readonly name: string; readonly organisation: string; readonly role: MemberRole };

export async function grantRole(query: Query, { name, organisation, role }: Member): Promise<void> {
  await query(
    `INSERT INTO suture_fleet.member (name, organisation, role) VALUES (lower($1), lower($2), $3)
     ON CONFLICT (name, organisation) DO UPDATE SET role = excluded.role`,
    [name, organisation, role],
  );
}

/** Takes a role away. False if there was none. */
export async function revokeRole(
  query: Query,
  { name, organisation }: Omit<Member, "role">,
): Promise<boolean> {
  const rows = await query(
    "DELETE FROM suture_fleet.member WHERE name = lower($1) AND organisation = lower($2) RETURNING 1",
    [name, organisation],
  );
  return rows.length > 0;
}

export function listMembers(query: Query): Promise<Member[]> {
  return query<Member>(
    "SELECT name, organisation, role FROM suture_fleet.member ORDER BY name, organisation",
  );
}

/** A person as the sign-in names it. */
export type Person = { readonly name: string; readonly groups: readonly string[] };

const sessionHours = 12;

/** Starts a session. Returns the value of its cookie, of which only a digest is stored. */
export async function startSession(query: Query, { name, groups }: Person): Promise<string> {
  const key = randomBytes(32).toString("base64url");
  await query(
    `WITH old AS (DELETE FROM suture_fleet.session WHERE expires < now())
     INSERT INTO suture_fleet.session (digest, name, groups, expires)
     VALUES ($1, $2, $3, now() + $4 * interval '1 hour')`,
    [digestOf(key), name, groups, sessionHours],
  );
  return key;
}

/** The person of a session with its present roles; null if there is no such session. */
export async function readSession(query: Query, key: string): Promise<Viewer | null> {
  const rows = await query<{ name: string; organisation: string | null; role: MemberRole | null }>(
    `SELECT s.name, m.organisation, m.role FROM suture_fleet.session s
     LEFT JOIN suture_fleet.member m ON m.name = lower(s.name)
       OR m.name IN (SELECT 'group:' || lower(g) FROM unnest(s.groups) AS g)
     WHERE s.digest = $1 AND s.expires > now()`,
    [digestOf(key)],
  );
  const [first] = rows;
  if (!first) return null;
  const held = rows.flatMap(({ organisation, role }) =>
    organisation && role ? [{ organisation, role }] : [],
  );
  return viewerOf(first.name, held);
}

export async function endSession(query: Query, key: string): Promise<void> {
  await query("DELETE FROM suture_fleet.session WHERE digest = $1", [digestOf(key)]);
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
