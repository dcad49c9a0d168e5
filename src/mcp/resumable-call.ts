/** A call waits for answers, listed by the names of their questions, or it is done. */
export type CallState<Q, T> = { readonly questions: Readonly<Record<string, Q>> } | { readonly done: T };

type OpenQuestion<Q, A> = { readonly question: Q; readonly answer: (answer: A) => void };
type CallEnd<T> = { readonly ok: true; readonly done: T } | { readonly ok: false; readonly error: unknown };

/** Parallel work asks at about the same time. One round trip carries all its questions. */
const settleMs = 30;

/** Work that asks questions and continues with the answers, for protocols in which a server cannot call back. */
export class ResumableCall<Q, A, T> {
  readonly #open = new Map<string, OpenQuestion<Q, A>>();
  readonly #ended: Promise<CallEnd<T>>;
  #asked = 0;
  #wake = (): void => {};

  constructor(work: (ask: (question: Q) => Promise<A>) => Promise<T>) {
    this.#ended = work((question) => this.#ask(question)).then(
      (done) => ({ ok: true, done }) as const,
      (error: unknown) => ({ ok: false, error }) as const,
    );
  }

  /** Passes answers on and waits for the next questions or the result. An unanswered question stays open. */
  async resume(answers: Readonly<Record<string, A>>): Promise<CallState<Q, T>> {
    for (const [name, answer] of Object.entries(answers)) {
      this.#open.get(name)?.answer(answer);
      this.#open.delete(name);
    }
    const end = await Promise.race([this.#ended, this.#untilAsked()]);
    if (end?.ok) return { done: end.done };
    if (end) throw end.error;
    const questions = [...this.#open].map(([name, { question }]) => [name, question] as const);
    return { questions: Object.fromEntries(questions) };
  }

  #ask(question: Q): Promise<A> {
    return new Promise((answer) => {
      this.#open.set(`q${++this.#asked}`, { question, answer });
      this.#wake();
    });
  }

  async #untilAsked(): Promise<null> {
    while (this.#open.size === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    for (let before = -1; before !== this.#asked; ) {
      before = this.#asked;
      await new Promise((resolve) => setTimeout(resolve, settleMs));
    }
    return null;
  }
}
