import type { Fleet } from "../fleet.ts";
import { readOverview } from "./overview.ts";

type Overview = ReturnType<typeof readOverview>;
type Cached = { readonly value: Overview; readonly at: number };

/** How long one overview serves all open pages, in milliseconds. */
export const overviewAge = 2000;
const mostKept = 50;

/** One overview for all open pages that show the same organisations. It is read once at a time. */
export class OverviewCache {
  readonly #fleet: Fleet;
  readonly #kept = new Map<string, Cached>();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  read(organisations: readonly string[] | null): Overview {
    const key = JSON.stringify(organisations);
    const current = this.#kept.get(key);
    if (current && performance.now() - current.at < overviewAge) return current.value;
    const value = readOverview(this.#fleet, { organisations });
    const loading = { value, at: Number.POSITIVE_INFINITY };
    this.#keep(key, loading);
    value.then(
      () => this.#settle(key, loading, performance.now()),
      () => this.#settle(key, loading, Number.NEGATIVE_INFINITY),
    );
    return value;
  }

  #keep(key: string, cached: Cached): void {
    this.#kept.delete(key);
    this.#kept.set(key, cached);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  #settle(key: string, loading: Cached, at: number): void {
    if (this.#kept.get(key) === loading) this.#kept.set(key, { ...loading, at });
  }
}
