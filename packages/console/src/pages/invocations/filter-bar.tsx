import { useEffect, useRef, useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { filterFields } from "../../api/invocation-filter.ts";
import type { Tool } from "../../api/tools.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { showLine } from "../../ui/show.ts";

const typingMs = 250;
const states = [
  ["", "All"],
  ["succeeded", "Succeeded"],
  ["failed", "Failed"],
] as const;

/** Search, status and the filters of the address, each of which can be removed. */
export function FilterBar({ tools }: { tools: readonly Tool[] }) {
  const address = useAddress();
  const [isAdding, setAdding] = useState(false);
  const chips = filterFields.flatMap(({ name, label }) =>
    (["", "not."] as const).flatMap((prefix) =>
      address.list(prefix + name).map((value) => ({ key: prefix + name, label, prefix, value })),
    ),
  );
  return (
    <div class="filters">
      <SearchField label="Search outputs and errors" />
      <fieldset class="segments" aria-label="Status">
        {states.map(([status, label]) => (
          <button
            type="button"
            key={status}
            aria-pressed={address.text("status") === status}
            onClick={() => address.change({ status })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {chips.map(({ key, label, prefix, value }) => (
        <span class="chip" key={`${key} ${value}`}>
          {label} {prefix === "" ? "is" : "is not"} <strong>{showLine(value, 40)}</strong>
          <button
            type="button"
            class="plain"
            aria-label={`Remove ${label} ${showLine(value, 40)}`}
            onClick={() =>
              address.change({ [key]: address.list(key).filter((each) => each !== value) })
            }
          >
            ×
          </button>
        </span>
      ))}
      <button type="button" class="small" onClick={() => setAdding(true)}>
        Add filter
      </button>
      {isAdding && <AddFilter tools={tools} onClose={() => setAdding(false)} />}
    </div>
  );
}

/** A field whose text goes into the address after a pause, so that typing is never slow. */
export function SearchField({ label, name = "q" }: { label: string; name?: string }) {
  const address = useAddress();
  const stored = address.text(name);
  const [text, setText] = useState(stored);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  // While a person types, the address follows, and what it has is already old.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(stored);
  }, [stored]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onInput={(event) => {
        const { value } = event.currentTarget;
        setText(value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => address.change({ [name]: value }), typingMs);
      }}
    />
  );
}

function AddFilter({ tools, onClose }: { tools: readonly Tool[]; onClose(): void }) {
  const address = useAddress();
  const [name, setName] = useState<string>("tool");
  const [prefix, setPrefix] = useState("");
  const [value, setValue] = useState("");
  const field = filterFields.find((each) => each.name === name);
  const choices = name === "tool" ? tools.map((tool) => tool.name) : field?.choices;
  const add = (event: Event): void => {
    event.preventDefault();
    const chosen = value.trim();
    if (chosen === "") return;
    const key = prefix + name;
    address.change({ [key]: [...new Set([...address.list(key), chosen])] });
    onClose();
  };
  return (
    <Dialog title="Add filter" onClose={onClose}>
      <form class="form" onSubmit={add}>
        <label>
          Field
          <select
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setValue("");
            }}
          >
            {filterFields.map((each) => (
              <option key={each.name} value={each.name}>
                {each.label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Condition
          <select value={prefix} onChange={(event) => setPrefix(event.currentTarget.value)}>
            <option value="">is</option>
            <option value="not.">is not</option>
          </select>
        </label>
        <label>
          Value
          <input
            list="filter-values"
            value={value}
            autocomplete="off"
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <datalist id="filter-values">
          {choices?.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
        <button type="submit" class="primary">
          Add
        </button>
      </form>
    </Dialog>
  );
}
