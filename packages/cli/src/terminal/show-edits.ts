import type { JsonValue } from "@haft/contract";
import { diffLines, isPlainObject, splitLines } from "@haft/contract/internal";
import type { AskRequest } from "@haft/core";
import { showArguments } from "@haft/core/internal";

/** Formats the arguments of a call as lines for a person, those of an edit as a diff. */
export function showCallArguments({
  tool,
  arguments: args,
}: Pick<AskRequest, "tool" | "arguments">): string[] {
  const edits = isPlainObject(args) && tool === "multi_edit" ? args.edits : [args];
  if (!["edit", "multi_edit"].includes(tool) || !Array.isArray(edits)) return showArguments(args);
  const changes = edits.map(toChange);
  if (!changes.every((change) => change !== undefined)) return showArguments(args);
  const { edits: _, ...others } = args as Fields;
  return [...(tool === "edit" ? [] : showArguments(others)), ...changes.flatMap(showArguments)];
}

type Fields = Readonly<Record<string, JsonValue>>;

function toChange(edit: JsonValue): Fields | undefined {
  if (!isPlainObject(edit)) return undefined;
  const { old_string: old, new_string: now, ...more } = edit;
  if (typeof old !== "string" || typeof now !== "string") return undefined;
  // A line break at the end of only one of them would not be seen.
  if (old.endsWith("\n") !== now.endsWith("\n")) return undefined;
  const lines = diffLines(splitLines(old), splitLines(now)).flatMap((run) =>
    run.isSame
      ? run.before.map((line) => ` ${line}`)
      : [...run.before.map((line) => `-${line}`), ...run.after.map((line) => `+${line}`)],
  );
  const diff = lines.map((line) => line.replace(/\n$/u, "")).join("\n");
  return { ...(more as Fields), diff };
}
