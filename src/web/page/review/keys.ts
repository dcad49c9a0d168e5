import type { Store } from "./store.ts";

/** Keys and what they do, for the table of them too. */
export const keys: readonly (readonly [string, string])[] = [
  ["j", "next edit"],
  ["k", "previous edit"],
  ["a", "accept: write exactly what is shown"],
  ["r", "reject"],
  ["e", "edit the wording"],
  ["u", "take back the last decision, or that of the shown edit"],
  ["v", "side by side, inline, preview"],
  ["h", "history"],
  ["/", "search"],
  ["?", "this table"],
  ["Esc", "close, or leave the search"],
];

const layouts = ["split", "inline", "preview"] as const;

/** One key, one thing. Held keys count once: nothing is approved by a cat on the keyboard. */
export function listenToKeys(store: Store): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (typing) {
      if (event.key === "Escape") target.blur();
      return;
    }
    const { asking, place, layout } = store.state();
    if (asking !== null) return;
    if (event.repeat && event.key !== "j" && event.key !== "k") return;
    if (act(event.key, place, layout)) event.preventDefault();
  };
  const act = (key: string, place: "review" | "history", layout: (typeof layouts)[number]): boolean => {
    if (key === "?") store.ask("help");
    else if (key === "h") store.goTo(place === "history" ? "review" : "history");
    else if (place === "history") return false;
    else if (key === "/") document.querySelector<HTMLInputElement>("#search")?.focus();
    else if (key === "j") store.step(1);
    else if (key === "k") store.step(-1);
    else if (key === "v") store.setLayout(layouts[(layouts.indexOf(layout) + 1) % 3]!);
    else if (!store.source.live) return false;
    else if (key === "a") void store.accept();
    else if (key === "u") void store.takeBack();
    else if (store.state().run?.kind !== "proposal") return false;
    else if (key === "r") store.ask("reject");
    else if (key === "e") store.ask("reword");
    else return false;
    return true;
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
