export interface MooringOptions {
  depth: number;
}

export class Harbour {
  /**
   * Ties up a boat.
   * @deprecated Use `moor` instead.
   */
  tieUp<
    MooringKind extends MooringOptions,
  >(options: MooringKind): MooringKind {
    return options;
  }

  moor(options: MooringOptions): MooringOptions {
    return options;
  }
}
