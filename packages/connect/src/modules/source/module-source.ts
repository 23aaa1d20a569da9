import { homedir } from "node:os";
import { join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@haft/contract";

/** The source of a module. */
export type ModuleSource =
  | { readonly type: "path"; readonly path: string }
  | PackageSource
  | RepositorySource;

/** An npm package. */
export interface PackageSource {
  readonly type: "package";
  readonly name: string;
  /** A version, a range or a tag. Default: any version. */
  readonly version: string | undefined;
}

/** A directory in a git repository. */
export interface RepositorySource {
  readonly type: "repository";
  readonly url: string;
  /** A branch, a tag or a commit. Default: the default branch. */
  readonly ref: string | undefined;
  readonly subdirectory: string;
}

/** Parses a source. Paths are relative to `directory`. Throws with the supported forms if it is invalid. */
export function parseModuleSource(text: string, directory: string): ModuleSource {
  if (text.startsWith("git+")) return parseRepository(text);
  if (text.startsWith("file:")) return { type: "path", path: fromFileUrl(text) };
  if (/^[a-z][a-z0-9+.-]*:/iu.test(text)) {
    throw invalid(text, "this URL scheme is not supported");
  }
  if (text.startsWith("~/")) return { type: "path", path: join(homedir(), text.slice(2)) };
  const [, name, version] =
    /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@(.+))?$/iu.exec(text) ?? [];
  if (name === undefined) return { type: "path", path: resolve(directory, text) };
  if (version !== undefined && !/^[\w^~<>=*][\w.^~<>=*|+ -]*$/u.test(version)) {
    throw invalid(text, `${JSON.stringify(version)} is not a version`);
  }
  return { type: "package", name, version };
}

function parseRepository(text: string): RepositorySource {
  const [address = "", fragment = ""] = text.slice("git+".length).split("#", 2);
  const url = URL.parse(address);
  if (url === null || !["https:", "ssh:", "file:"].includes(url.protocol)) {
    throw invalid(text, "repositories must use https, ssh or file");
  }
  // The last @ of the path starts the ref.
  const at = url.pathname.lastIndexOf("@");
  const ref = at < 0 ? undefined : decodeURIComponent(url.pathname.slice(at + 1));
  if (at >= 0) url.pathname = url.pathname.slice(0, at);
  if (ref !== undefined && (!/^[A-Za-z0-9_][\w./+-]*$/u.test(ref) || ref.includes(".."))) {
    throw invalid(text, `${JSON.stringify(ref)} is not the name of a branch, a tag or a commit`);
  }
  const parameters = new URLSearchParams(fragment);
  const unknown = [...parameters.keys()].find((key) => key !== "subdirectory");
  if (unknown !== undefined)
    throw invalid(text, `the parameter ${JSON.stringify(unknown)} is not supported`);
  const subdirectory = normalize(parameters.get("subdirectory") || ".");
  if (subdirectory.startsWith("/") || subdirectory.split("/").includes("..")) {
    throw invalid(text, "the subdirectory is outside the repository");
  }
  return { type: "repository", url: url.href, ref, subdirectory };
}

function fromFileUrl(text: string): string {
  try {
    return fileURLToPath(text);
  } catch {
    throw invalid(text, "a file URL must have an absolute path");
  }
}

function invalid(text: string, why: string): ToolError {
  const shown = JSON.stringify(withoutPassword(text));
  return new ToolError(
    "invalid-arguments",
    `The source ${shown} can't be used: ${why}. Write a path (./my-tool), file:///…, an npm package (name or name@1.2.3) or git+https://host/repository@ref#subdirectory=….`,
  );
}

/** Removes the credentials of a URL, so that it can be shown. */
export function withoutPassword(text: string): string {
  return text.replace(/(:\/\/)[^/@\s]*:[^/@\s]*@/u, "$1");
}
