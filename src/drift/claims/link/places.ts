import { isDocumentPath } from "../../../syntax/formats/registry.ts";
import { once } from "../../../syntax/keep-last.ts";
import { lastName } from "../../change/folders.ts";
import type { State } from "../../state/state.ts";

/** The files of a state by the other ways in which pages address them. */
export type Places = {
  /** The files and pages whose path ends with these names. */
  readonly endingWith: (path: string) => readonly string[];
  /** The pages that a site may serve at an address, or at a longer one that ends with it. */
  readonly servedAt: (address: string) => readonly string[];
  /** The only file of this path in other letters; null where there is none. */
  readonly inOtherCase: (path: string) => string | null;
};

/** The places of a state, indexed when they are first asked for. */
export function placesOf(state: State): Places {
  const known = opened.get(state);
  if (known) return known;
  const places = openPlaces(state);
  opened.set(state, places);
  return places;
}

const opened = new WeakMap<State, Places>();

function openPlaces({ files }: State): Places {
  const byName = once(() => Map.groupBy(files(), lastName));
  const byLetters = once(() => Map.groupBy(files(), (path) => path.toLowerCase()));
  const byAddress = once(() =>
    Map.groupBy(
      [...files()].filter(isDocumentPath).map((path) => ({ path, address: siteAddress(path) })),
      ({ address }) => lastName(address),
    ),
  );
  return {
    endingWith: (path) => {
      const plain = path.replace(/^(?:\.{0,2}\/)+|\/+$/g, "");
      return (byName().get(lastName(plain)) ?? []).filter((one) => endsWith(one, plain));
    },
    servedAt: (address) => {
      const plain = siteAddress(address.replace(/^(?:\.{0,2}\/)+|\/+$/g, ""));
      const found = byAddress().get(lastName(plain)) ?? [];
      return plain === "" ? [] : found.filter((one) => endsWith(one.address, plain)).map(({ path }) => path);
    },
    inOtherCase: (path) => {
      const same = byLetters().get(path.toLowerCase()) ?? [];
      return same.length === 1 && same[0] !== path ? same[0]! : null;
    },
  };
}

function endsWith(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

/** The address that a site makes from a path: without ordering numbers, without extensions, in lower case. */
function siteAddress(path: string): string {
  return path
    .toLowerCase()
    .replace(/\.\w{1,5}$/, "")
    .replace(/\/(?:index|readme|_index)$/, "")
    .split("/")
    .map((name) => name.replace(/^\d+[-_.]\s*/, "").replaceAll("_", "-"))
    .join("/");
}
