import { type FileSystem, ToolError } from "@haft/contract";
import { isSameBytes } from "@haft/contract/internal";
import { DraftFile } from "./draft-file.ts";
import type { PatchSection } from "./patch.ts";
import { PatchFiles } from "./patch-files.ts";

/** Applies a patch in memory, section by section. Throws at the first one that does not apply. */
export async function planPatch(
  sections: readonly PatchSection[],
  fs: FileSystem,
): Promise<PatchFiles> {
  const files = new PatchFiles(fs);
  for (const section of sections) {
    const path = fs.resolve(section.path);
    const target = section.target === undefined ? path : fs.resolve(section.target);
    await doers[section.action]({ section, path, target }, files);
  }
  return files;
}

/** A section with absolute paths. */
interface Task {
  readonly section: PatchSection;
  readonly path: string;
  /** The final path of the file. */
  readonly target: string;
}

const doers: Readonly<
  Record<PatchSection["action"], (task: Task, files: PatchFiles) => Promise<void>>
> = { create, update, delete: remove, copy };

async function create({ section, path }: Task, files: PatchFiles): Promise<void> {
  const content = toContent(section, path);
  const existing = await files.find(path);
  if (existing !== undefined && section.form === "unified") {
    if (isSameBytes(existing.bytes, content)) return;
    throw new ToolError(
      "conflict",
      `Nothing was changed: the patch creates ${path}, which exists with other content. Send a diff against it.`,
      { absolutePath: path },
    );
  }
  const draft = new DraftFile({ path, content: () => content });
  draft.isExecutable = section.isExecutable;
  files.set(path, draft);
}

async function update({ section, path, target }: Task, files: PatchFiles): Promise<void> {
  const draft = await files.get(path);
  draft.apply(section);
  if (target === path) return;
  // After a move, the file could be read under its new name.
  void draft.initial;
  await requireFree(section, target, files);
  files.set(path, undefined);
  files.set(target, draft);
}

async function remove({ section, path }: Task, files: PatchFiles): Promise<void> {
  const draft = await files.get(path);
  if (section.form === "unified") {
    draft.apply(section);
    const rest = section.hunks.length === 0 ? draft.bytes.length : draft.text.length;
    if (rest > 0) {
      throw new ToolError(
        "conflict",
        `Nothing was changed: the patch deletes ${path}, but does not contain all of its lines. Read it again.`,
        { absolutePath: path, remedy: "To delete it as it is, use `delete_file`." },
      );
    }
  }
  files.set(path, undefined);
}

async function copy({ section, path, target }: Task, files: PatchFiles): Promise<void> {
  const draft = (await files.get(path)).copy(target);
  draft.apply(section);
  await requireFree(section, target, files);
  files.set(target, draft);
}

/** Refuses to overwrite a file; only `*** Move to` may. */
async function requireFree(
  { form }: PatchSection,
  target: string,
  files: PatchFiles,
): Promise<void> {
  const existing = await files.find(target);
  if (existing === undefined || form === "begin-patch") return;
  throw new ToolError(
    "conflict",
    `Nothing was changed: the patch creates ${target}, which already exists. Choose another name, or delete it first.`,
    { absolutePath: target },
  );
}

const encoder = new TextEncoder();

function toContent({ hunks }: PatchSection, path: string): Uint8Array {
  let content = "";
  for (const { kind, text, isUnended } of hunks.flatMap(({ lines }) => lines)) {
    if (kind !== "added") {
      throw new ToolError(
        "invalid-arguments",
        `Nothing was changed: the patch creates ${path}, but some of its lines are not added lines. Begin each with +.`,
        { absolutePath: path },
      );
    }
    content += isUnended ? text : `${text}\n`;
  }
  if (content.isWellFormed()) return encoder.encode(content);
  throw new ToolError(
    "failed",
    `Nothing was changed: the new text of ${path} contains half a character (a lone surrogate). Send the whole character.`,
    { absolutePath: path },
  );
}
