const storageKey = "haft-theme";

/** How the page looks: as the system says, or always light or dark. */
export type Theme = "system" | "light" | "dark";

/** Returns the chosen theme. */
export function readTheme(): Theme {
  const theme = localStorage.getItem(storageKey);
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Applies the chosen theme to the page, after choosing another if one is given. */
export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === "system") localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, theme);
  document.documentElement.dataset.theme = theme;
}
