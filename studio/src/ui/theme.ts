/** Light or dark: the system's wish until the person says otherwise. */
import { Signal } from "./signal";

export type Theme = "light" | "dark";
const KEY = "gaitway-theme";

/** A page without storage (private windows of some browsers) still works. */
function stored(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

export function themeSignal(): Signal<Theme> {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const wished = () => stored() ?? (dark.matches ? "dark" : "light");
  const theme = new Signal<Theme>(wished());
  dark.addEventListener("change", () => (theme.value = wished()));
  theme.follow((value) => (document.documentElement.dataset["theme"] = value));
  return theme;
}

export function toggleTheme(theme: Signal<Theme>): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // Then it lasts as long as the tab.
  }
}
