import { pages } from "../pages.ts";
import { Dialog } from "../ui/dialog.tsx";

const general: readonly (readonly [string, string])[] = [
  ["Ctrl K", "Search pages, tools and actions"],
  ["/", "Search on this page"],
  ["?", "Show this list"],
  ["j / k", "Next or previous row of a list"],
  ["Enter", "Open the row"],
  ["x", "Select the row"],
  ["Ctrl Enter", "Run the tool, or send the answer"],
  ["Esc", "Close, or clear the selection"],
];

/** The list of keys. */
export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const opening = pages.flatMap(({ key, title }) =>
    key === undefined ? [] : [[`g ${key}`, title] as const],
  );
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <div class="keys">
        {[...general, ...opening].map(([keys, what]) => (
          <div key={keys}>
            <kbd>{keys}</kbd>
            <span>{what}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
