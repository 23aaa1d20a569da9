import { useAddress } from "../../address.ts";
import { showLine } from "../../ui/show.ts";
import { SearchField } from "../invocations/filter-bar.tsx";

const kinds = [
  ["", "All"],
  ["failed", "Failures"],
  ["changed", "Changes"],
] as const;

/** What of a session is shown. Kept in the address. */
export function ThreadFilters({ tools }: { tools: readonly string[] }) {
  const address = useAddress();
  const chosen = address.text("tool");
  return (
    <div class="filters">
      <SearchField label="Find in this session" />
      <fieldset class="segments" aria-label="Show">
        {kinds.map(([kind, label]) => (
          <button
            type="button"
            key={kind}
            aria-pressed={address.text("show") === kind}
            onClick={() => address.change({ show: kind })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <select
        aria-label="Tool"
        value={chosen}
        onChange={({ currentTarget }) => address.change({ tool: currentTarget.value })}
      >
        <option value="">Tool: all</option>
        {[...new Set([...tools, ...address.list("tool")])].sort().map((tool) => (
          <option key={tool} value={tool}>
            {showLine(tool, 60)}
          </option>
        ))}
      </select>
    </div>
  );
}
