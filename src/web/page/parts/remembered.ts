import { useEffect, useState } from "preact/hooks";

/** A choice of the reader, stored for this tab only. */
export function useRemembered<T extends string>(
  name: string,
  isChoice: (value: string) => value is T,
  usual: T,
): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => stored(name, isChoice) ?? usual);
  useEffect(() => {
    try {
      sessionStorage.setItem(name, value);
    } catch {
      // A page from a file has no storage.
    }
  }, [name, value]);
  return [value, setValue];
}

function stored<T extends string>(name: string, isChoice: (value: string) => value is T): T | null {
  try {
    const kept = sessionStorage.getItem(name);
    return kept !== null && isChoice(kept) ? kept : null;
  } catch {
    return null;
  }
}
