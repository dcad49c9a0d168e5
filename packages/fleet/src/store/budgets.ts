import type { Query } from "./database.ts";

export type Spending = { readonly tokens: number; readonly costUsd: number };

/** What an organisation may spend in a day; null: no limit. */
export type Budget = { readonly dailyUsd: number | null; readonly dailyTokens: number | null };

export async function setBudget(
  query: Query,
  organisation: string,
  { dailyUsd, dailyTokens }: Budget,
): Promise<void> {
  await query(
    `INSERT INTO suture_fleet.organisation (name, daily_usd, daily_tokens) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET daily_usd = excluded.daily_usd, daily_tokens = excluded.daily_tokens`,
    [organisation, dailyUsd, dailyTokens],
  );
}

/**
 * Reserves the highest possible cost, if the daily budget allows it. One statement adds and compares, so workers on
 * different machines cannot exceed the budget together.
 */
export async function reserveBudget(
  query: Query,
  organisation: string,
  { tokens, costUsd }: Spending,
): Promise<boolean> {
  const rows = await query(
    `INSERT INTO suture_fleet.spending AS s (organisation, day, tokens, cost_usd)
     SELECT $1, current_date, $2, $3 FROM (SELECT daily_usd, daily_tokens FROM suture_fleet.organisation WHERE name = $1
       UNION ALL SELECT NULL, NULL LIMIT 1) o
     WHERE coalesce($3 <= o.daily_usd, true) AND coalesce($2 <= o.daily_tokens, true)
     ON CONFLICT (organisation, day) DO UPDATE SET tokens = s.tokens + excluded.tokens, cost_usd = s.cost_usd + excluded.cost_usd
       WHERE coalesce(s.cost_usd + excluded.cost_usd <= (SELECT daily_usd FROM suture_fleet.organisation WHERE name = $1), true)
         AND coalesce(s.tokens + excluded.tokens <= (SELECT daily_tokens FROM suture_fleet.organisation WHERE name = $1), true)
     RETURNING 1`,
    [organisation, tokens, costUsd],
  );
  return rows.length === 1;
}

/** Replaces a reservation by the real cost. */
export async function settleBudget(
  query: Query,
  organisation: string,
  reserved: Spending,
  real: Spending,
): Promise<void> {
  await query(
    `UPDATE suture_fleet.spending SET tokens = tokens + $2, cost_usd = cost_usd + $3
     WHERE organisation = $1 AND day = current_date`,
    [organisation, real.tokens - reserved.tokens, real.costUsd - reserved.costUsd],
  );
}

export async function spentToday(query: Query, organisation: string): Promise<Spending> {
  const [row] = await query<{ tokens: number; costUsd: number }>(
    `SELECT tokens::float AS tokens, cost_usd::float AS "costUsd" FROM suture_fleet.spending
     WHERE organisation = $1 AND day = current_date`,
    [organisation],
  );
  return row ?? { tokens: 0, costUsd: 0 };
}
