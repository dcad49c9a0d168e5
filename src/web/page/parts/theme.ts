import { useEffect } from "preact/hooks";
import { useRemembered } from "./remembered.ts";

export type Theme = "auto" | "light" | "dark";

const next: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

/** Light, dark, or the system's setting. Stored for this tab only. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useRemembered<Theme>("theme", isTheme, "auto");
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [theme, () => setTheme(next[theme])];
}

function isTheme(value: string): value is Theme {
  return Object.hasOwn(next, value);
}
