/** The theme's colours for canvases, which know nothing of custom properties. */
import type { Theme } from "../ui/theme";

const NAMES = [
  "bg",
  "panel",
  "panel-2",
  "hover",
  "line",
  "line-strong",
  "text",
  "muted",
  "accent",
  "accent-soft",
  "on-accent",
  "good",
  "bad",
  "bad-soft",
  "warn",
  "focus",
  "interpolated",
] as const;

export type Palette = Readonly<Record<(typeof NAMES)[number], string>> & { readonly dark: boolean };

const known = new Map<Theme, Palette>();

/** Resolved once per theme, by giving each colour to an element and asking back what it became. */
export function palette(theme: Theme): Palette {
  const before = known.get(theme);
  if (before) return before;
  const probe = document.createElement("span");
  probe.hidden = true;
  probe.style.colorScheme = theme;
  document.body.append(probe);
  const entries = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  const found = { ...Object.fromEntries(entries), dark: theme === "dark" } as Palette;
  known.set(theme, found);
  return found;
}

/** The page's font at a size, as canvases want it. */
export function font(px: number, weight = 400): string {
  return `${weight} ${px}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif`;
}
