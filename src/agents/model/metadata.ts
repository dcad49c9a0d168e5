/** What a run says about a call to those who trace it. Nothing about the person: no address, no name. */
export type Metadata = {
  readonly session: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
};

/** More about one call. The session's own copy stays as it was, and a tag is not said twice. */
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
