import { useEffect, useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";

const next: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

/** Light, dark, or the system's setting. Stored for this tab only. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(remembered);
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      sessionStorage.setItem("theme", theme);
    } catch {
      // A page from a file has no storage.
    }
  }, [theme]);
  return [theme, () => setTheme(next[theme])];
}

function remembered(): Theme {
  try {
    const kept = sessionStorage.getItem("theme");
    return kept === "light" || kept === "dark" ? kept : "auto";
  } catch {
    return "auto";
  }
}
