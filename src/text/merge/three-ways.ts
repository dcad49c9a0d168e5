/** Three versions of one thing: what both sides started from, and what each made of it. */
export type ThreeWays<T> = { readonly base: T; readonly ours: T; readonly theirs: T };

export function mapVersions<A, B>({ base, ours, theirs }: ThreeWays<A>, map: (one: A) => B): ThreeWays<B> {
  return { base: map(base), ours: map(ours), theirs: map(theirs) };
}
