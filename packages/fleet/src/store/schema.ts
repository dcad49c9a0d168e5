import { peopleTables } from "../people/tables.ts";
import type { Database, Query } from "./database.ts";
import { rolloutTables } from "./schema-rollout.ts";

/**
 * Our tables, one list of statements for each version. A released version never changes; later changes are a version of
 * their own. The queue engine has its own schema and migrates it itself.
 */
const versions: readonly string[] = [
  `
  CREATE EXTENSION IF NOT EXISTS btree_gist;

  CREATE TABLE suture_fleet.organisation (
    name text PRIMARY KEY,
    -- The turn of its newest job; see fair-share.ts.
    turn bigint NOT NULL DEFAULT 0,
    daily_usd numeric,
    daily_tokens bigint
  );

  -- One row: which turn is being served, and whether jobs are handed out at all.
  CREATE TABLE suture_fleet.desk (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    turn bigint NOT NULL DEFAULT 0,
    draining boolean NOT NULL DEFAULT false
  );
  INSERT INTO suture_fleet.desk DEFAULT VALUES;

  -- A provider that asked to be left alone for a while.
  CREATE TABLE suture_fleet.host (
    name text PRIMARY KEY,
    paused_until timestamptz NOT NULL DEFAULT '-infinity'
  );

  CREATE TABLE suture_fleet.repository (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host text NOT NULL,
    organisation text NOT NULL,
    name text NOT NULL,
    url text NOT NULL UNIQUE,
    branch text,
    sink text,
    -- The commit that was checked last, and the last one whose pages were true.
    checked text,
    base text,
    state text NOT NULL DEFAULT 'new',
    drift integer NOT NULL DEFAULT 0,
    added timestamptz NOT NULL DEFAULT now(),
    due timestamptz NOT NULL DEFAULT now(),
    -- Who works on it; the number rises with every new holder.
    holder text,
    held_until timestamptz NOT NULL DEFAULT '-infinity',
    fence bigint NOT NULL DEFAULT 0,
    UNIQUE (host, organisation, name)
  );
  CREATE INDEX repository_due ON suture_fleet.repository (due);
  CREATE INDEX repository_drift ON suture_fleet.repository (drift DESC, id) WHERE drift > 0;
  CREATE INDEX repository_name ON suture_fleet.repository (organisation, name);

  CREATE TABLE suture_fleet.run (
    id text PRIMARY KEY,
    repository bigint NOT NULL REFERENCES suture_fleet.repository ON DELETE CASCADE,
    kind text NOT NULL,
    cause text NOT NULL,
    request integer,
    base text,
    commit text NOT NULL,
    state text NOT NULL,
    worker text NOT NULL,
    began timestamptz NOT NULL,
    ended timestamptz NOT NULL DEFAULT now(),
    findings integer NOT NULL DEFAULT 0,
    fixed integer NOT NULL DEFAULT 0,
    unknown integer NOT NULL DEFAULT 0,
    tokens bigint NOT NULL DEFAULT 0,
    cost_usd numeric NOT NULL DEFAULT 0,
    detail text,
    record jsonb
  );
  CREATE INDEX run_ended ON suture_fleet.run (ended);
  CREATE INDEX run_repository ON suture_fleet.run (repository, ended DESC);
  CREATE INDEX run_commit ON suture_fleet.run (repository, commit, kind) WHERE state = 'done';

  -- What each run said about a passage, and why.
  CREATE TABLE suture_fleet.reason (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run text NOT NULL REFERENCES suture_fleet.run ON DELETE CASCADE,
    repository bigint NOT NULL,
    path text NOT NULL,
    start_line integer NOT NULL,
    end_line integer NOT NULL,
    finding text NOT NULL,
    tier text NOT NULL,
    message text NOT NULL,
    edits jsonb NOT NULL,
    evidence jsonb NOT NULL,
    fixed boolean NOT NULL,
    words tsvector GENERATED ALWAYS AS (to_tsvector('simple', path || ' ' || message)) STORED
  );
  CREATE INDEX reason_words ON suture_fleet.reason USING gin (words);
  CREATE INDEX reason_place ON suture_fleet.reason (repository, path, id DESC);
  CREATE INDEX reason_run ON suture_fleet.reason (run);

  -- One row for each thing that is shown to the world: claimed before, confirmed after.
  CREATE TABLE suture_fleet.publication (
    repository bigint NOT NULL REFERENCES suture_fleet.repository ON DELETE CASCADE,
    kind text NOT NULL,
    commit text NOT NULL,
    run text NOT NULL,
    fence bigint NOT NULL,
    state text NOT NULL,
    url text,
    claims integer NOT NULL DEFAULT 1,
    claimed timestamptz NOT NULL DEFAULT now(),
    confirmed timestamptz,
    outcome text,
    PRIMARY KEY (repository, kind, commit)
  );
  CREATE INDEX publication_open ON suture_fleet.publication (confirmed) WHERE state = 'confirmed';

  CREATE SEQUENCE suture_fleet.fence;
  CREATE TABLE suture_fleet.lease (
    fence bigint PRIMARY KEY DEFAULT nextval('suture_fleet.fence'),
    repository bigint NOT NULL REFERENCES suture_fleet.repository ON DELETE CASCADE,
    path text NOT NULL,
    region int8range NOT NULL,
    holder text NOT NULL,
    reason text NOT NULL,
    until timestamptz NOT NULL,
    EXCLUDE USING gist (repository WITH =, path WITH =, region WITH &&)
  );
  CREATE INDEX lease_holder ON suture_fleet.lease (holder);

  CREATE TABLE suture_fleet.spending (
    organisation text NOT NULL,
    day date NOT NULL,
    tokens bigint NOT NULL DEFAULT 0,
    cost_usd numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (organisation, day)
  );

  -- Webhooks that were heard: by the name the provider gave them, and by what they said.
  CREATE TABLE suture_fleet.delivery (
    source text NOT NULL,
    id text NOT NULL,
    digest bytea NOT NULL UNIQUE,
    received timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (source, id)
  );
  CREATE INDEX delivery_received ON suture_fleet.delivery (received);

  CREATE TABLE suture_fleet.worker (
    id text PRIMARY KEY,
    started timestamptz NOT NULL,
    seen timestamptz NOT NULL,
    slots integer NOT NULL,
    busy integer NOT NULL,
    done bigint NOT NULL,
    memory bigint NOT NULL
  );
  `,
  `
  ALTER TABLE suture_fleet.repository
    -- Why it could not be worked on, and how often in a row.
    ADD COLUMN problem text,
    ADD COLUMN failures integer NOT NULL DEFAULT 0,
    ADD COLUMN paused boolean NOT NULL DEFAULT false,
    -- The host's own number of it, which a rename does not change.
    ADD COLUMN host_id text;

  -- Hosts do not tell ACME/API from acme/api. The older row of such a pair stays.
  DELETE FROM suture_fleet.repository younger USING suture_fleet.repository older
  WHERE older.host = younger.host AND older.id < younger.id AND younger.host <> 'local'
    AND lower(older.organisation) = lower(younger.organisation) AND lower(older.name) = lower(younger.name);
  CREATE UNIQUE INDEX repository_any_case ON suture_fleet.repository (host, lower(organisation), lower(name))
    WHERE host <> 'local';
  CREATE UNIQUE INDEX repository_host_id ON suture_fleet.repository (host, host_id);

  ALTER TABLE suture_fleet.host
    -- Until when it is not asked at all, because it could not be reached.
    ADD COLUMN away_until timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN outages integer NOT NULL DEFAULT 0,
    ADD COLUMN reached timestamptz,
    ADD COLUMN why text;

  CREATE TABLE suture_fleet.declined (
    repository bigint NOT NULL REFERENCES suture_fleet.repository ON DELETE CASCADE,
    finding text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (repository, finding)
  );

  -- The totals of days that are over, so that charts need not read every run.
  CREATE TABLE suture_fleet.day (
    day date PRIMARY KEY,
    runs integer NOT NULL,
    findings integer NOT NULL,
    fixed integer NOT NULL,
    tokens bigint NOT NULL,
    cost_usd numeric NOT NULL
  );

  -- Counters of all processes, also of those that have ended.
  CREATE TABLE suture_fleet.counter (
    name text NOT NULL,
    labels text NOT NULL,
    value double precision NOT NULL,
    PRIMARY KEY (name, labels)
  );

  ALTER TABLE suture_fleet.worker ADD COLUMN heartbeat integer NOT NULL DEFAULT 30;

  -- A path and a name of code are several words.
  ALTER TABLE suture_fleet.reason DROP COLUMN words;
  ALTER TABLE suture_fleet.reason ADD COLUMN words tsvector GENERATED ALWAYS AS (
    to_tsvector('simple', path || ' ' || message || ' ' || regexp_replace(path || ' ' || message, '[^[:alnum:]]+', ' ', 'g'))
  ) STORED;
  CREATE INDEX reason_words ON suture_fleet.reason USING gin (words);
  `,
  `
  -- Until when the requests that write are reserved; see reserveWrites.
  ALTER TABLE suture_fleet.host ADD COLUMN writes_until timestamptz NOT NULL DEFAULT '-infinity';
  `,
  rolloutTables,
  `
  -- When it was checked last.
  ALTER TABLE suture_fleet.repository ADD COLUMN checked_at timestamptz;
  UPDATE suture_fleet.repository r SET checked_at = (SELECT max(ended) FROM suture_fleet.run WHERE run.repository = r.id);
  CREATE INDEX repository_lower_name ON suture_fleet.repository (lower(name));
  CREATE INDEX repository_full_name ON suture_fleet.repository (lower(organisation || '/' || name));
  CREATE INDEX repository_failing ON suture_fleet.repository (id) WHERE state IN ('failing', 'quarantined');

  -- How many passages were false on each day, for each organisation.
  CREATE TABLE suture_fleet.level (
    day date NOT NULL,
    organisation text NOT NULL,
    repositories integer NOT NULL,
    drifted integer NOT NULL,
    failing integer NOT NULL,
    passages bigint NOT NULL,
    PRIMARY KEY (day, organisation)
  );
  `,
  peopleTables,
  `
  -- Its settings asked for a dashboard at the last check.
  ALTER TABLE suture_fleet.repository ADD COLUMN wants_dashboard boolean NOT NULL DEFAULT false;
  `,
  `
  -- Earlier surveys of clones over a network did not see their history, so all pages are looked at again.
  UPDATE suture_fleet.repository SET surveyed = NULL;
  `,
];

/** Migrates the tables. Several processes may call it at once. A newer database is refused and not changed. */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock(7385571)");
    await query(`CREATE SCHEMA IF NOT EXISTS suture_fleet;
      CREATE TABLE IF NOT EXISTS suture_fleet.version (number integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())`);
    const at = await versionOf(query);
    if (at > versions.length)
      throw new Error(
        `the database has version ${at} of the fleet's tables, and this suture knows ${versions.length}`,
      );
    for (let next = at; next < versions.length; next++) {
      await query(versions[next]!);
      await query("INSERT INTO suture_fleet.version (number) VALUES ($1)", [next + 1]);
    }
  });
}

async function versionOf(query: Query): Promise<number> {
  const [row] = await query<{ number: number }>(
    "SELECT coalesce(max(number), 0)::int AS number FROM suture_fleet.version",
  );
  return row!.number;
}
