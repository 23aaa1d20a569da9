import { useRef } from "preact/hooks";

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: Readonly<Record<Name, string>>;
  readonly current: Name;
  onChange(name: Name): void;
}

/** A row of tabs. Arrow keys move between them. */
export function Tabs<Name extends string>({ label, tabs, current, onChange }: TabsProps<Name>) {
  const names = Object.keys(tabs) as Name[];
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const at = (names.indexOf(current) + step + names.length) % names.length;
    onChange(names[at] as Name);
    (list.current?.children[at] as HTMLElement | undefined)?.focus();
  };
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label={label}
      ref={list}
      onKeyDown={onKeyDown}
      tabIndex={-1}
    >
      {names.map((name) => (
        <button
          type="button"
          role="tab"
          key={name}
          aria-selected={name === current}
          tabIndex={name === current ? 0 : -1}
          onClick={() => onChange(name)}
        >
          {tabs[name]}
        </button>
      ))}
    </div>
  );
}
