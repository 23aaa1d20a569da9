import { useEffect, useRef } from "preact/hooks";

/** What keys do: one key, `mod+` a key, or two keys after each other. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const sequenceMs = 1_200;

/**
 * Reacts to keys while the component is shown. Keys that are typed into a field are left alone, and those that press
 * the button or link that has the focus.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    let first = "";
    let at = 0;
    const onKey = (event: KeyboardEvent): void => {
      const isMod = event.ctrlKey || event.metaKey;
      const key = `${isMod ? "mod+" : ""}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
      if (event.altKey || (!isMod && (isTyping(event.target) || isPress(event)))) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const pair = performance.now() - at < sequenceMs ? `${first} ${key}` : "";
      const run = current.current[pair] ?? current.current[key];
      [first, at] = [key, performance.now()];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function isPress({ key, target }: KeyboardEvent): boolean {
  return (
    (key === "Enter" || key === " ") &&
    target instanceof Element &&
    target.closest("a[href], button, summary") !== null
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true]") !==
      null ||
      target.shadowRoot?.activeElement != null)
  );
}
