/** Where work stands: it waits for answers, by the names of their questions, or it is done. */
export type Standing<Q, T> = { readonly questions: Readonly<Record<string, Q>> } | { readonly done: T };

/** Work that asks in between, and goes on when it is answered: for protocols in which a server cannot call back. */
export type Errand<Q, A, T> = {
  /** Hands over answers and waits until there are questions again, or a result. What is not answered stays asked. */
  go(answers: Readonly<Record<string, A>>): Promise<Standing<Q, T>>;
};

/** Work that runs side by side asks at about the same time; one round carries all of it. */
const settleMs = 30;

export function startErrand<Q, A, T>(
  work: (ask: (question: Q) => Promise<A>) => Promise<T>,
): Errand<Q, A, T> {
  const open = new Map<string, { readonly question: Q; readonly answer: (answer: A) => void }>();
  let asked = 0;
  let wake = (): void => {};
  const ended = work(
    (question) =>
      new Promise((answer) => {
        open.set(`q${++asked}`, { question, answer });
        wake();
      }),
  ).then(
    (done) => ({ ok: true, done }) as const,
    (error: unknown) => ({ ok: false, error }) as const,
  );

  const untilAsked = async (): Promise<null> => {
    while (open.size === 0) await new Promise<void>((resolve) => (wake = resolve));
    for (let before = -1; before !== asked; ) {
      before = asked;
      await new Promise((resolve) => setTimeout(resolve, settleMs));
    }
    return null;
  };
  return {
    go: async (answers) => {
      for (const [name, answer] of Object.entries(answers)) {
        open.get(name)?.answer(answer);
        open.delete(name);
      }
      const end = await Promise.race([ended, untilAsked()]);
      if (end?.ok) return { done: end.done };
      if (end) throw end.error;
      return { questions: Object.fromEntries([...open].map(([name, { question }]) => [name, question])) };
    },
  };
}
