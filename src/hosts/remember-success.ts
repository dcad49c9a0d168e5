import type { Outcome } from "../text/model/outcome.ts";

/** Finds a value once and remembers it. A refusal or an error is not remembered: the next call asks again. */
export function rememberSuccess<T>(find: () => Promise<Outcome<T>>): () => Promise<Outcome<T>> {
  let found: Promise<Outcome<T>> | undefined;
  return () => {
    found ??= forgetFailure(find(), () => {
      found = undefined;
    });
    return found;
  };
}

async function forgetFailure<T>(asked: Promise<Outcome<T>>, forget: () => void): Promise<Outcome<T>> {
  let isKept = false;
  try {
    const outcome = await asked;
    isKept = outcome.ok;
    return outcome;
  } finally {
    if (!isKept) forget();
  }
}
