/** A file as it was read. `text: null` means there is no such file. `version` is opaque here. */
export type Snapshot = { readonly path: string; readonly text: string | null; readonly version: string };
