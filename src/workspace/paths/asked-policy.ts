import type { Outcome } from "../../text/model/outcome.ts";
import type { Concern } from "./guarded-names.ts";
import { type GatedPath, gate, type PathPolicy } from "./paths.ts";

type PolicyQuestion = { readonly key: string; readonly ask: () => unknown };

/**
 * A policy whose answers are kept. `gate` waits for the answers, which can take as long as a person thinks. `settled` is
 * for work under the lock: it knows the answers, asks nothing, and refuses a path that was not asked about.
 */
export class AskedPolicy {
  readonly #policy: PathPolicy;
  readonly #answers = new Map<string, boolean>();

  constructor(policy: PathPolicy = {}) {
    this.#policy = policy;
  }

  /** Repeats the check after each answer, until the check has no more questions. */
  async gate(path: string, access: "read" | "write"): Promise<Outcome<GatedPath>> {
    for (;;) {
      const open: PolicyQuestion[] = [];
      const gated = gate(path, access, this.#answered(open));
      if (open.length === 0) return gated;
      for (const { key, ask } of open) this.#answers.set(key, (await ask()) === true);
    }
  }

  get settled(): PathPolicy {
    return this.#answered([]);
  }

  /** The policy with the answers so far. A question without an answer is refused and added to `open`. */
  #answered(open: PolicyQuestion[]): PathPolicy {
    const { writable, consent } = this.#policy;
    const answer = (question: PolicyQuestion): boolean => {
      if (!this.#answers.has(question.key)) open.push(question);
      return this.#answers.get(question.key) === true;
    };
    return {
      ...(writable && {
        writable: (path: string) => answer({ key: `write ${path}`, ask: () => writable(path) }),
      }),
      consent:
        typeof consent === "function"
          ? (path: string, concern: Concern) =>
              answer({ key: `consent ${path}`, ask: () => consent(path, concern) })
          : consent === true,
    };
  }
}
