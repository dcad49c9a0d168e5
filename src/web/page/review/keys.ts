import type { Store } from "./store.ts";

/** The keys and their meaning, also for the help table. */
export const keys: readonly (readonly [string, string])[] = [
  ["j", "next edit"],
  ["k", "previous edit"],
  ["a", "accept: write exactly what is shown"],
  ["A", "accept all with this cause: shows them first"],
  ["r", "reject, with a reason"],
  ["x", "reject at once"],
  ["R", "reject all with this cause"],
  ["e", "edit the wording"],
  ["u", "take back the last decision, or that of the shown edit"],
  ["g", "group by cause, or by page"],
  ["v", "side by side, inline, preview"],
  ["h", "history"],
  ["/", "search"],
  ["?", "this table"],
  ["Esc", "close, or leave the search"],
];

const layouts = ["split", "inline", "preview"] as const;

/** Each key does one thing. A held key counts once, so that it cannot approve several edits. */
export function listenToKeys(store: Store): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (typing) {
      if (event.key === "Escape") target.blur();
      return;
    }
    const { dialog, place, layout } = store.state();
    if (dialog !== null) return;
    if (event.repeat && event.key !== "j" && event.key !== "k") return;
    if (act(event.key, place, layout)) event.preventDefault();
  };
  const act = (key: string, place: "review" | "history", layout: (typeof layouts)[number]): boolean => {
    if (key === "?") store.openDialog("help");
    else if (key === "h") store.goTo(place === "history" ? "review" : "history");
    else if (place === "history") return false;
    else if (key === "/") document.querySelector<HTMLInputElement>("#search")?.focus();
    else if (key === "j") store.step(1);
    else if (key === "k") store.step(-1);
    else if (key === "g") store.toggleGrouping();
    else if (key === "v") store.setLayout(layouts[(layouts.indexOf(layout) + 1) % 3]!);
    else if (!store.source.live) return false;
    else if (key === "a") void store.accept();
    else if (key === "u") void store.revert();
    else if (store.state().run?.kind !== "proposal") return false;
    else if (key === "A") void store.acceptAlike();
    else if (key === "R") store.openDialog("reject-all");
    else if (key === "x") void store.reject({});
    else if (key === "r") store.openDialog("reject");
    else if (key === "e") store.openDialog("reword");
    else return false;
    return true;
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
