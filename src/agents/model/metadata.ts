/** Metadata of a call for tracing. It says nothing about the person. */
export type Metadata = {
  readonly session: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
};

/** A copy with more about one call. Tags are unique. */
export function extendMetadata(
  base: Metadata,
  more: { readonly properties?: Readonly<Record<string, string>>; readonly tags?: readonly string[] },
): Metadata {
  return {
    session: base.session,
    properties: { ...base.properties, ...more.properties },
    tags: [...new Set([...base.tags, ...(more.tags ?? [])])],
  };
}
