import type { InboxItem } from "../../api/inbox.ts";
import { DiffView } from "../../ui/lazy.tsx";
import { Badge } from "../../ui/notes.tsx";
import { LongText, ResultView } from "../../ui/result-view.tsx";
import { showLine } from "../../ui/show.ts";
import { UnifiedDiff } from "../../ui/unified-diff.tsx";

type Fields = Readonly<Record<string, unknown>>;
type Effects = NonNullable<NonNullable<InboxItem["call"]>["effects"]>;

const maxEdits = 50;

/** What a waiting call would do: the changes of files, the command, or the arguments of another tool. */
export function CallPreview({ item }: { item: InboxItem }) {
  const { call, tool_name: tool } = item;
  const args = isFields(item.arguments) ? item.arguments : {};
  const { effects = null, current_text: before = null } = call ?? {};
  const { path, content, command, edits } = args;
  const changes = toEdits(tool, args);
  const isShown = typeof command === "string" || typeof content === "string" || changes.length > 0;
  return (
    <section class="call-preview" aria-label="What it would do">
      {typeof command === "string" && (
        <LongText text={command} label={effects === null ? "Command" : "Command that has run"} />
      )}
      {effects !== null && <Effects effects={effects} />}
      {typeof path === "string" && (
        <p>
          <code class="reason">{showLine(path, 1_000)}</code>{" "}
          {tool === "write" && before === "" && <Badge tone="good">new file</Badge>}
        </p>
      )}
      {tool === "write" && typeof content === "string" ? (
        <>
          {before === null && (
            <p class="quiet">What is in the file now can't be shown. All of the new text:</p>
          )}
          {before !== "" && before !== null ? (
            <DiffView
              label="Changes of the file"
              before={before}
              after={content}
              path={path as string}
            />
          ) : (
            <LongText text={content} label="New text" />
          )}
        </>
      ) : null}
      {changes.slice(0, maxEdits).map((edit, index) => (
        <DiffView
          key={String(index)}
          label={changes.length > 1 ? `Change ${index + 1}` : "Change"}
          before={edit.before}
          after={edit.after}
          path={String(path)}
        />
      ))}
      {changes.length > maxEdits && (
        <p class="quiet">{changes.length - maxEdits} more changes are in the arguments below.</p>
      )}
      <details open={!isShown}>
        <summary>All arguments{Array.isArray(edits) ? ` (${edits.length} edits)` : ""}</summary>
        <ResultView text={JSON.stringify(item.arguments, null, 2)} label="Arguments" />
      </details>
    </section>
  );
}

function Effects({ effects }: { effects: Effects }) {
  const { changes, total, diff } = effects;
  return (
    <>
      <p>
        It ran on a copy. These changes wait to be applied (
        {total === 1 ? "1 file" : `${total} files`}):
      </p>
      <ul class="uses" aria-label="Changes">
        {changes.map(({ path, kind, files }) => (
          <li key={path}>
            <Badge tone={kind === "deleted" ? "bad" : "warn"}>{kind}</Badge>{" "}
            <code>{showLine(path, 500)}</code>
            {files !== null && <span class="quiet"> {files} files</span>}
          </li>
        ))}
      </ul>
      {diff !== "" && <UnifiedDiff diff={diff} label="Changes" />}
    </>
  );
}

function toEdits(tool: string, args: Fields): readonly { before: string; after: string }[] {
  if (tool !== "edit" && tool !== "multi_edit") return [];
  const edits = Array.isArray(args.edits) ? args.edits : [args];
  return edits.flatMap((edit) => {
    if (!isFields(edit)) return [];
    const { old_string: before, new_string: after } = edit;
    return typeof before === "string" && typeof after === "string" ? [{ before, after }] : [];
  });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
