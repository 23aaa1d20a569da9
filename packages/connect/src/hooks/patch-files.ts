/** A file in a patch of `apply_patch`. */
export interface PatchedFile {
  readonly kind: "add" | "update" | "delete";
  readonly path: string;
  /** Where the file is moved to. */
  readonly target: string | undefined;
  /** The lines that are replaced, with those around them. */
  readonly before: string;
  readonly after: string;
}

const header = /^\s*\*\*\* (Add|Update|Delete) File: *(\S.*?)\s*$/u;

/** Lists the files of a patch. What it does not understand is left out: the tool reports it. */
export function listPatchedFiles(patch: string): readonly PatchedFile[] {
  const files: { -readonly [Name in keyof PatchedFile]: PatchedFile[Name] }[] = [];
  for (const line of patch.split(/\r?\n/u)) {
    const [, kind, path] = header.exec(line) ?? [];
    if (kind !== undefined && path !== undefined) {
      const name = kind.toLowerCase() as PatchedFile["kind"];
      files.push({ kind: name, path, target: undefined, before: "", after: "" });
      continue;
    }
    const file = files.at(-1);
    if (file === undefined || line.startsWith("@@")) continue;
    const [, target] = /^\s*\*\*\* Move to: *(\S.*?)\s*$/u.exec(line) ?? [];
    if (target !== undefined) file.target = target;
    if (line.startsWith("***")) continue;
    const text = `${line.slice(1)}\n`;
    if (line.startsWith("-") || line.startsWith(" ")) file.before += text;
    if (line.startsWith("+") || line.startsWith(" ")) file.after += text;
  }
  return files;
}

/** Writes a change of one file as a patch. */
export function toPatch(
  kind: "Add" | "Update" | "Delete",
  path: string,
  { before = "", after = "", target }: { before?: string; after?: string; target?: string } = {},
): string {
  const lines = [
    "*** Begin Patch",
    `*** ${kind} File: ${path}`,
    ...(target === undefined ? [] : [`*** Move to: ${target}`]),
    ...(kind === "Update" ? ["@@"] : []),
    ...mark("-", before),
    ...mark("+", after),
    "*** End Patch",
  ];
  return `${lines.join("\n")}\n`;
}

function mark(sign: "+" | "-", text: string): string[] {
  if (text === "") return [];
  return text
    .replace(/\n$/u, "")
    .split("\n")
    .map((line) => `${sign}${line}`);
}
