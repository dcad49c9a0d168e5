/** Pacing of the requests that write to a host. */
export const pacingTables = `
  -- Until when the requests that write are reserved; see reserveWrites.
  ALTER TABLE suture_fleet.host ADD COLUMN writes_until timestamptz NOT NULL DEFAULT '-infinity';
  `;
