import { homedir } from "node:os";
import { join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@haft/contract";

/** Where a module is to be had. */
export type ModuleSource =
  | { readonly type: "path"; readonly path: string }
  | PackageSource
  | RepositorySource;

/** A package of npm. */
export interface PackageSource {
  readonly type: "package";
  readonly name: string;
  /** A version, a range or a tag; any unless said. */
  readonly version: string | undefined;
}

/** A directory in a git repository. */
export interface RepositorySource {
  readonly type: "repository";
  readonly url: string;
  /** A branch, a tag or a commit; what the repository offers first unless said. */
  readonly ref: string | undefined;
  readonly subdirectory: string;
}

/** Reads a source; paths start at `directory`. What can't be one throws and says what can. */
export function parseModuleSource(text: string, directory: string): ModuleSource {
  if (text.startsWith("git+")) return parseRepository(text);
  if (text.startsWith("file:")) return { type: "path", path: fromFileUrl(text) };
  if (/^[a-z][a-z0-9+.-]*:/iu.test(text)) {
    throw unclear(text, "of this kind nothing is fetched");
  }
  if (text.startsWith("~/")) return { type: "path", path: join(homedir(), text.slice(2)) };
  const [, name, version] =
    /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@(.+))?$/iu.exec(text) ?? [];
  if (name === undefined) return { type: "path", path: resolve(directory, text) };
  if (version !== undefined && !/^[\w^~<>=*][\w.^~<>=*|+ -]*$/u.test(version)) {
    throw unclear(text, `${JSON.stringify(version)} is not a version`);
  }
  return { type: "package", name, version };
}

function parseRepository(text: string): RepositorySource {
  const [address = "", fragment = ""] = text.slice("git+".length).split("#", 2);
  const url = URL.parse(address);
  if (url === null || !["https:", "ssh:", "file:"].includes(url.protocol)) {
    throw unclear(text, "repositories are fetched by https, ssh or file only");
  }
  // The last one: a user's name before the host may have one too.
  const at = url.pathname.lastIndexOf("@");
  const ref = at < 0 ? undefined : decodeURIComponent(url.pathname.slice(at + 1));
  if (at >= 0) url.pathname = url.pathname.slice(0, at);
  if (ref !== undefined && (!/^[A-Za-z0-9_][\w./+-]*$/u.test(ref) || ref.includes(".."))) {
    throw unclear(text, `${JSON.stringify(ref)} is not the name of a branch, a tag or a commit`);
  }
  const parameters = new URLSearchParams(fragment);
  const unknown = [...parameters.keys()].find((key) => key !== "subdirectory");
  if (unknown !== undefined) throw unclear(text, `what is ${JSON.stringify(unknown)}?`);
  const subdirectory = normalize(parameters.get("subdirectory") || ".");
  if (subdirectory.startsWith("/") || subdirectory.split("/").includes("..")) {
    throw unclear(text, "the subdirectory lies outside of the repository");
  }
  return { type: "repository", url: url.href, ref, subdirectory };
}

function fromFileUrl(text: string): string {
  try {
    return fileURLToPath(text);
  } catch {
    throw unclear(text, "a file URL names a whole path");
  }
}

function unclear(text: string, why: string): ToolError {
  const shown = JSON.stringify(withoutPassword(text));
  return new ToolError(
    "invalid-arguments",
    `The source ${shown} can't be used: ${why}. Write a path (./my-tool), file:///…, an npm package (name or name@1.2.3) or git+https://host/repository@ref#subdirectory=….`,
  );
}

/** A URL as it may be shown. */
export function withoutPassword(text: string): string {
  return text.replace(/(:\/\/)[^/@\s]*:[^/@\s]*@/u, "$1");
}
