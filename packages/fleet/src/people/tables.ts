/** People, their roles, their sessions, and a record of what they did. */
export const peopleTables = `
  -- Roles by organisation. A name is an e-mail address, or group: and the name of a group; '*' is every organisation.
  CREATE TABLE suture_fleet.member (
    name text NOT NULL,
    organisation text NOT NULL,
    role text NOT NULL,
    added timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (name, organisation)
  );

  -- Only a digest of the cookie is kept.
  CREATE TABLE suture_fleet.session (
    digest bytea PRIMARY KEY,
    name text NOT NULL,
    groups text[] NOT NULL,
    expires timestamptz NOT NULL
  );

  -- Who did what, and to what. Rows are only ever added.
  CREATE TABLE suture_fleet.action (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    who text NOT NULL,
    did text NOT NULL,
    organisation text,
    target text NOT NULL
  );
  `;
