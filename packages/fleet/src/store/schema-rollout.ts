/** Settings of organisations and repositories, approvals, publications in parts, and the first look at a repository. */
export const rolloutTables = `
  ALTER TABLE suture_fleet.desk ADD COLUMN settings jsonb;
  ALTER TABLE suture_fleet.organisation ADD COLUMN settings jsonb;

  ALTER TABLE suture_fleet.repository
    ADD COLUMN settings jsonb,
    -- Hours between its regular checks, as its settings said at the last check.
    ADD COLUMN every_hours integer,
    -- The fix whose edits are not published yet, why, and when to try again.
    ADD COLUMN waiting_run text,
    ADD COLUMN waiting_for text,
    ADD COLUMN waiting_until timestamptz,
    -- The commit whose pages were looked at as they stand, and what was false in them.
    ADD COLUMN surveyed text,
    ADD COLUMN standing integer NOT NULL DEFAULT 0,
    ADD COLUMN standing_unknown integer NOT NULL DEFAULT 0,
    ADD COLUMN standing_since timestamptz;
  CREATE INDEX repository_waiting ON suture_fleet.repository (waiting_until) WHERE waiting_run IS NOT NULL;

  -- A pull request may hold only a part of the edits: those of a page or of a cause.
  ALTER TABLE suture_fleet.publication
    ADD COLUMN part text NOT NULL DEFAULT '',
    ADD COLUMN branch text,
    ADD COLUMN digest text,
    ADD COLUMN findings text[];
  ALTER TABLE suture_fleet.publication DROP CONSTRAINT publication_pkey;
  ALTER TABLE suture_fleet.publication ADD PRIMARY KEY (repository, kind, commit, part);
  CREATE INDEX publication_undecided ON suture_fleet.publication (repository) WHERE kind = 'request' AND outcome IS NULL;

  -- Who declined, and the reason that they gave.
  ALTER TABLE suture_fleet.declined ADD COLUMN by text, ADD COLUMN reason text;

  -- Pages in one repository that describe the code of another: how far they were compared.
  CREATE TABLE suture_fleet.described (
    docs bigint NOT NULL REFERENCES suture_fleet.repository ON DELETE CASCADE,
    code bigint NOT NULL REFERENCES suture_fleet.repository ON DELETE CASCADE,
    checked text NOT NULL,
    base text NOT NULL,
    drift integer NOT NULL DEFAULT 0,
    PRIMARY KEY (docs, code)
  );
  CREATE INDEX repository_describes ON suture_fleet.repository (id) WHERE settings ? 'describes';

  -- Edits that a person wants published although the settings ask for a dry run.
  CREATE TABLE suture_fleet.approved (
    repository bigint NOT NULL REFERENCES suture_fleet.repository ON DELETE CASCADE,
    finding text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    by text,
    PRIMARY KEY (repository, finding)
  );
`;
