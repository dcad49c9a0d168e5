import { useEffect, useState } from "preact/hooks";

/** The address of the page: reload and Back show the same thing again. */
export type PageAddress = { readonly path: string; readonly query: URLSearchParams };

function here(): PageAddress {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

const changed = "suture-place";

/** Goes to an address of this page. With `replace`, Back does not return to the present one. */
export function go(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  dispatchEvent(new Event(changed));
}

/** The present address, also after Back and Forward. */
export function usePlace(): PageAddress {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const update = (): void => setPlace(here());
    addEventListener("popstate", update);
    addEventListener(changed, update);
    return () => {
      removeEventListener("popstate", update);
      removeEventListener(changed, update);
    };
  }, []);
  return place;
}

/** An address with some values of its query replaced. Empty values are left out. */
export function addressWith({ path, query }: PageAddress, values: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === "" ? path : `${path}?${text}`;
}
