import type { MachineCall } from "../../api/machine-sessions.ts";
import { UnifiedDiff } from "../../ui/unified-diff.tsx";

const shownDiffs = 2;
const shownLines = 14;

/** What a call changed: the beginning of it, or all of it in an open call. */
export function CallDiffs({
  call: { diffs },
  isOpen,
}: {
  call: Pick<MachineCall, "diffs">;
  isOpen: boolean;
}) {
  const shown = isOpen ? diffs : diffs.slice(0, shownDiffs);
  return (
    <div class="call-diffs">
      {shown.map(({ diff, path }, index) => (
        <UnifiedDiff
          key={`${index} ${isOpen}`}
          diff={diff}
          label={`Changes of ${path ?? "a file"}`}
          {...(!isOpen && { maxLines: shownLines })}
        />
      ))}
      {diffs.length > shown.length && (
        <p class="quiet">
          And {diffs.length - shown.length} more files. Open the call to see them.
        </p>
      )}
    </div>
  );
}
