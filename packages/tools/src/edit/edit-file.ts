import { type Runtime, ToolError } from "@haft/contract";
import { formatDiff, withoutRemedy } from "@haft/contract/internal";
import { nameInWorkspace } from "../paths/name-in-workspace.ts";
import { suggestPath } from "../paths/suggest-path.ts";
import { composeSplices } from "../text/compose-splices.ts";
import { openText, type Splice, spliceText, type TextDocument } from "../text/text-document.ts";
import { FileText } from "./file-text.ts";
import type { EditStrategy } from "./ladder.ts";
import { type EditRequest, planEdit } from "./plan-edit.ts";
import { refuseChanged } from "./refuse-changed.ts";

/** The result of one edit. */
export interface EditStep {
  readonly strategy: EditStrategy;
  readonly replacements: number;
  readonly notes: readonly string[];
  /** Lines of the text after this edit, if there are several. */
  readonly lineRange?: readonly [first: number, last: number];
}

/** A file that was edited. */
export interface EditedFile {
  /** Absolute. */
  readonly path: string;
  readonly diff: string;
  readonly lineRange: readonly [first: number, last: number];
  /** Present only if it is not UTF-8. */
  readonly encoding: string | undefined;
  readonly steps: readonly EditStep[];
}

/** A file and its edits. */
export interface EditOrder {
  readonly path: string;
  /** In order, each on the result of the one before. */
  readonly edits: readonly EditRequest[];
}

/** Makes all edits of a file in one write, or none. */
export async function editFile(order: EditOrder, runtime: Runtime): Promise<EditedFile> {
  const path = runtime.fs.resolve(order.path);
  const loaded = await loadFile(path, runtime);
  const document = openText(loaded.content, path);
  const { splices, steps } = planEdits(document, order.edits, path);
  const bytes = document.toBytes(splices);
  const name = nameInWorkspace(path, runtime.session.roots);
  const { diff, lineRange } = formatDiff(name, document.text, splices);
  if (runtime.signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was changed.");
  try {
    await runtime.fs.splice(path, bytes, loaded);
  } catch (error) {
    if (!ToolError.isInstance(error) || error.code !== "conflict") throw error;
    const edit = order.edits[0] as EditRequest;
    throw await refuseChanged({ path, line: lineRange[0], wanted: edit.old_string }, runtime);
  }
  const encoding = document.encoding === "utf-8" ? undefined : document.encoding;
  return { path, diff, lineRange, encoding, steps };
}

async function loadFile(path: string, runtime: Runtime): ReturnType<Runtime["fs"]["load"]> {
  try {
    return await runtime.fs.load(path);
  } catch (error) {
    const suggested = await suggestPath(error, runtime);
    const isMissing = ToolError.isInstance(error) && error.code === "not-found";
    if (!isMissing || suggested !== error) throw suggested;
    throw new ToolError("not-found", `${path} does not exist.`, {
      remedy: "Use `write` to create it.",
      absolutePath: path,
      cause: error,
    });
  }
}

interface PlannedEdits {
  /** Splices of the original text. */
  readonly splices: readonly Splice[];
  readonly steps: readonly EditStep[];
}

function planEdits(
  before: TextDocument,
  edits: readonly EditRequest[],
  path: string,
): PlannedEdits {
  const [only] = edits;
  let file = new FileText(before.text, before);
  if (edits.length === 1 && only !== undefined) {
    const { strategy, splices, notes } = planEdit(file, only, path);
    return { splices, steps: [{ strategy, replacements: splices.length, notes }] };
  }
  let splices: readonly Splice[] = [];
  const steps: EditStep[] = [];
  for (const [at, edit] of edits.entries()) {
    const plan = namingEdit(at + 1, edits.length, () => planEdit(file, edit, path));
    const { lineRange } = formatDiff(path, file.text, plan.splices);
    const { strategy, notes } = plan;
    steps.push({ strategy, replacements: plan.splices.length, notes, lineRange });
    splices = composeSplices(splices, plan.splices);
    file = new FileText(spliceText(file.text, plan.splices));
  }
  if (file.text === before.text) {
    const message = `The edits together change nothing in ${path}: they cancel each other out.`;
    throw new ToolError("conflict", message, { absolutePath: path });
  }
  return { splices, steps };
}

function namingEdit<Result>(number: number, count: number, plan: () => Result): Result {
  try {
    return plan();
  } catch (error) {
    if (!ToolError.isInstance(error)) throw error;
    const { code, remedy, absolutePath, details } = error;
    const named = `Edit ${number} of ${count} failed, so none was made: ${withoutRemedy(error)}`;
    throw new ToolError(code, named, {
      details,
      ...(remedy === undefined ? {} : { remedy }),
      ...(absolutePath === undefined ? {} : { absolutePath }),
    });
  }
}
