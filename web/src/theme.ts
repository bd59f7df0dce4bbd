export type Theme = "system" | "light" | "dark";

const key = "sluice.theme";
const order: Theme[] = ["system", "light", "dark"];

export function storedTheme(): Theme {
  const stored = localStorage.getItem(key);
  return order.find((theme) => theme === stored) ?? "system";
}

export function nextTheme(theme: Theme): Theme {
  return order[(order.indexOf(theme) + 1) % order.length] ?? "system";
}

export function wear(theme: Theme): void {
  localStorage.setItem(key, theme);
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Calls back when the colours have become others. */
export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    system.removeEventListener("change", listener);
  };
}
