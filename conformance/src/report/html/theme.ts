const key = "conformance-theme";

/** Takes the theme that was chosen before; without one, the system's counts. */
export function restoreTheme(): void {
  const stored = read();
  if (stored === "light" || stored === "dark") document.documentElement.dataset["theme"] = stored;
}

/** Changes between light and dark, and remembers it where the browser lets a file do so. */
export function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const dark =
    dataset["theme"] === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : dataset["theme"] === "dark";
  dataset["theme"] = dark ? "light" : "dark";
  try {
    localStorage.setItem(key, dataset["theme"]);
  } catch {
    // Storage is closed to this page; the choice lasts until it is left.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
