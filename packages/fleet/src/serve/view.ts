/** The data of the fleet page, as JSON carries it: times are strings. */
export type FleetView = {
  readonly states: Readonly<Record<string, number>>;
  readonly queue: {
    readonly waiting: number;
    readonly deferred: number;
    readonly active: number;
    readonly dead: number;
  };
  readonly draining: boolean;
  readonly workers: readonly WorkerView[];
  readonly paused: readonly {
    readonly name: string;
    readonly paused_until: string;
    readonly why: string | null;
  }[];
  readonly drifted: readonly (RepositoryView & { readonly standing: number })[];
  readonly failing: readonly RepositoryView[];
  readonly levels: readonly LevelView[];
  readonly runs: readonly FleetRunView[];
  readonly days: readonly DayView[];
};

export type WorkerView = {
  readonly id: string;
  readonly seen: string;
  readonly slots: number;
  readonly busy: number;
  readonly done: number;
  readonly memory: number;
};

export type RepositoryView = {
  readonly id: number;
  readonly host: string;
  readonly organisation: string;
  readonly name: string;
  readonly state: string;
  readonly drift: number;
  readonly problem: string | null;
};

/** A repository of the list, with its links. */
export type ListedView = RepositoryView & {
  readonly url: string;
  readonly paused: boolean;
  readonly checked: string | null;
  readonly checkedAt: string | null;
  readonly request: string | null;
  /** Its page on the host, and that of the commit that was checked last. */
  readonly page: string | null;
  readonly commitPage: string | null;
};

/** One repository, with what its row in the list has no room for. */
export type DetailedView = ListedView & {
  readonly waitingFor: string | null;
  readonly standing: number;
  readonly standingSince: string | null;
  readonly requests: readonly string[];
  readonly unknown: readonly { readonly path: string; readonly why: string }[];
};

export type ListView = {
  readonly total: number;
  readonly pageSize: number;
  readonly repositories: readonly ListedView[];
};

/** The edits that wait, a page of repositories at a time. */
export type PreviewView = {
  readonly waiting: readonly {
    readonly organisation: string;
    readonly waitingFor: string;
    readonly repositories: number;
  }[];
  readonly repositories: readonly WaitingView[];
  /** The repository after which the next page begins; null on the last page. */
  readonly next: number | null;
};

export type WaitingView = {
  readonly id: number;
  readonly organisation: string;
  readonly name: string;
  readonly commit: string;
  readonly commitPage: string | null;
  readonly waitingFor: string;
  readonly findings: readonly {
    readonly id: string;
    readonly path: string;
    readonly startLine: number;
    readonly tier: string;
    readonly cause: string;
    readonly message: string;
    readonly edits: ReasonView["edits"];
    readonly isApproved: boolean;
  }[];
};

/** The rights of the viewer; null means all organisations. */
export type ViewerView = {
  readonly name: string;
  readonly sees: readonly string[] | null;
  readonly operates: readonly string[] | null;
};

export type ActionView = {
  readonly id: number;
  readonly at: string;
  readonly who: string;
  readonly did: string;
  readonly target: string;
};

export type LevelView = {
  readonly day: string;
  readonly repositories: number;
  readonly drifted: number;
  readonly failing: number;
  readonly passages: number;
};

export type FleetRunView = {
  readonly id: string;
  readonly repository: number;
  readonly organisation: string;
  readonly name: string;
  readonly kind: string;
  readonly cause: string;
  readonly state: string;
  readonly commit: string;
  readonly ended: string;
  readonly findings: number;
  readonly fixed: number;
  readonly unknown: number;
  readonly cost_usd: number;
  readonly detail: string | null;
  readonly url: string | null;
};

export type DayView = {
  readonly day: string;
  readonly runs: number;
  readonly findings: number;
  readonly fixed: number;
  readonly published: number;
  readonly merged: number;
  readonly closed: number;
  readonly cost_usd: number;
};

/** One run with its reasons. */
export type RunDetailView = FleetRunView & {
  readonly commitPage: string | null;
  readonly reasons: readonly ReasonView[];
};

export type ReasonView = {
  readonly run: string;
  readonly organisation: string;
  readonly name: string;
  readonly path: string;
  readonly startLine: number;
  readonly tier: string;
  readonly message: string;
  readonly fixed: boolean;
  readonly edits: readonly { readonly old_string: string; readonly new_string: string }[];
};

/** The type of a value after it was sent as JSON. */
export type AsJson<T> = T extends Date
  ? string
  : T extends readonly (infer E)[]
    ? readonly AsJson<E>[]
    : T extends object
      ? { readonly [key in keyof T]: AsJson<T[key]> }
      : T;
