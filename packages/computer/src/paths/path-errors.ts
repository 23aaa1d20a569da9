import { ToolError } from "@haft/contract";

/** The error for a path outside the grant; the same whether or not anything is there. */
export function outOfScope(path: string, verb: "read" | "change"): ToolError {
  return new ToolError(
    "out-of-scope",
    `Out of scope: ${path} lies outside what this call may ${verb}. Use a path inside the workspace.`,
    { absolutePath: path },
  );
}

/** The error for a file that holds secrets by its name; the same whether or not it is there. */
export function secretFile(path: string): ToolError {
  return new ToolError(
    "secret-file",
    `Refusing to read ${path}: files of this kind hold secrets.`,
    { absolutePath: path },
  );
}

/** The error for a path that no tool changes; the same whether or not it is there. */
export function protectedPath(path: string): ToolError {
  return new ToolError(
    "denied",
    `Refusing to change ${path}: it decides what runs or what is allowed on this machine. Ask the user to change it.`,
    { absolutePath: path },
  );
}

/** The error for a path that a rule denies; the same whether or not it is there. */
export function deniedPath(path: string, verb: "read" | "change"): ToolError {
  return new ToolError(
    "denied",
    verb === "change"
      ? `A rule denies changes to ${path}. Leave it as it is.`
      : `A rule denies reading ${path}. Continue without it.`,
    { absolutePath: path },
  );
}

/** Nothing has this name. */
export function notFound(path: string, cause?: unknown): ToolError {
  return new ToolError(
    "not-found",
    `No such file or directory: ${path}. List its parent directory to see what is there.`,
    { absolutePath: path, cause },
  );
}

/** A directory where a file is needed. */
export function isDirectory(path: string, cause?: unknown): ToolError {
  return new ToolError("failed", `Is a directory: ${path}. Name a file instead.`, {
    absolutePath: path,
    cause,
  });
}

/** A file where a directory is needed. */
export function notDirectory(path: string, cause?: unknown): ToolError {
  return new ToolError(
    "failed",
    `Not a directory: ${path}, or a part of it, is a file. Name a directory instead.`,
    { absolutePath: path, cause },
  );
}

/** Neither a file nor a directory. */
export function notRegular(path: string, cause?: unknown): ToolError {
  return new ToolError(
    "failed",
    `Not a regular file: ${path} is a device, pipe or socket, which tools do not open.`,
    { absolutePath: path, cause },
  );
}

/** A directory that still holds something. */
export function notEmpty(path: string, cause?: unknown): ToolError {
  return new ToolError("conflict", `Not empty: ${path} still has entries. Remove those first.`, {
    absolutePath: path,
    cause,
  });
}

/** Something has this name already. */
export function alreadyExists(path: string, cause?: unknown): ToolError {
  return new ToolError(
    "conflict",
    `Already exists: ${path}. Choose another name, or remove it first.`,
    { absolutePath: path, cause },
  );
}

/** The file is not the version that the caller knows. */
export function changedMeanwhile(path: string, cause?: unknown): ToolError {
  return new ToolError(
    "conflict",
    `Changed meanwhile: ${path} has changed since it was read. Read it again before you change it.`,
    { absolutePath: path, cause },
  );
}

/** A workspace root can't be removed. */
export function isRoot(path: string): ToolError {
  return new ToolError("denied", `Refusing to remove ${path}: it is a root of the workspace.`, {
    absolutePath: path,
  });
}

/** More bytes than one read returns. */
export function tooLargeToRead(path: string, size: number, limit: number): ToolError {
  return new ToolError(
    "too-large",
    `Too large: ${path} would return ${size} bytes; the limit for one read is ${limit}. Read a part of it with offset and length.`,
    { absolutePath: path },
  );
}

/** More bytes than the journal keeps for undo. */
export function tooLargeToChange(path: string, size: number, limit: number): ToolError {
  return new ToolError(
    "too-large",
    `Too large: ${path} has ${size} bytes; only files up to ${limit} bytes can be changed, so that the change can be undone. Use a command instead.`,
    { absolutePath: path },
  );
}
