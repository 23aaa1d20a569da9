import { type ErrorCode, ToolError } from "@haft/contract";
import {
  alreadyExists,
  changedMeanwhile,
  isDirectory,
  notDirectory,
  notEmpty,
  notFound,
  notRegular,
} from "../paths/path-errors.ts";

/** An error of a system call. */
export interface SystemError extends Error {
  readonly code: string;
}

/** Returns whether an error comes from a system call, as opposed to a bug. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error;
}

/** Creates an error like the system's own. */
export function makeSystemError(code: string, syscall: string): SystemError {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
}

/** Explains a failed system call on a path to the model. */
export function fromSystemError(error: SystemError, path: string): ToolError {
  const known = shared[error.code];
  if (known !== undefined) return known(path, error);
  const [code, sentence] = sentences[error.code] ?? ["failed", `The system returned ${error.code}`];
  return new ToolError(code, `${sentence}: ${path}.`, { absolutePath: path, cause: error });
}

const shared: Readonly<Record<string, (path: string, cause: unknown) => ToolError>> = {
  ENOENT: notFound,
  ENOTDIR: notDirectory,
  EISDIR: isDirectory,
  ENOTEMPTY: notEmpty,
  EEXIST: alreadyExists,
  ENXIO: notRegular,
  ENODEV: notRegular,
  ESTALE: changedMeanwhile,
};

const askForAccess = "ask the user to grant access to it or its directory";
const noSpace = "No space left; free some disk space or quota, then try again. Nothing was changed";
const noDescriptors = "Too many files are open in this process; try again in a moment";

const sentences: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  EACCES: ["failed", `Permission denied (EACCES); ${askForAccess}`],
  EPERM: ["failed", `Operation not permitted (EPERM); ${askForAccess}`],
  EROFS: ["failed", "The file system is read-only; choose a path elsewhere"],
  ENOSPC: ["quota", noSpace],
  EDQUOT: ["quota", noSpace],
  EFBIG: ["quota", "The file would exceed the size limit of this process or file system"],
  ELOOP: ["failed", "The links on this path form a loop; name the file itself"],
  ENAMETOOLONG: ["invalid-arguments", "A name in this path is too long; choose a shorter one"],
  EMFILE: ["unavailable", noDescriptors],
  ENFILE: ["unavailable", noDescriptors],
  EIO: ["failed", "The disk failed to read or write (EIO)"],
  EBUSY: ["failed", "The system is using it; try again later"],
};
