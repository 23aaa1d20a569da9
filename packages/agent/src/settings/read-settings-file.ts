import { readFile, stat } from "node:fs/promises";
import type { ProjectItem } from "@haft/computer";
import { readUntrustedFile } from "@haft/computer/internal";
import type { JsonValue } from "@haft/contract";
import { CommentedJsonError, parseCommentedJson } from "@haft/core/internal";

const maxBytes = 64_000;

/**
 * Reads the user's own settings file, if there is one. It may be a link: people keep such
 * files in a repository of their own. Throws a `TypeError` if it can't be read.
 */
export async function readSettingsFile(path: string): Promise<JsonValue | undefined> {
  const content = await readOwnFile(path);
  return content === undefined ? undefined : parseSettings(content, path);
}

/** A project's settings file, parsed and as bytes. */
export interface ProjectSettings {
  readonly item: ProjectItem;
  readonly settings: JsonValue | undefined;
}

/** Reads a project's settings file without following links. Throws a `TypeError` if it can't be read. */
export function readProjectSettings(path: string, workspace: string): ProjectSettings | undefined {
  const read = readUntrustedFile(path, { within: workspace, maxBytes });
  if (read.fault === undefined) {
    const item: ProjectItem = { kind: "settings", path, content: read.bytes };
    return { item, settings: parseSettings(read.bytes.toString("utf8"), path) };
  }
  if (read.isMissing) return undefined;
  throw new TypeError(`${path} ${read.fault}. Replace it with a regular JSON file, or remove it.`);
}

function parseSettings(content: string, path: string): JsonValue | undefined {
  if (content.trim() === "") return undefined;
  try {
    return parseCommentedJson(content);
  } catch (error) {
    if (!(error instanceof CommentedJsonError)) throw error;
    const { line } = error;
    throw new TypeError(
      `${path} is not valid JSON (line ${line}). Fix the syntax, such as a missing comma or quotation mark before this line, or move the file away.`,
    );
  }
}

async function readOwnFile(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile())
      throw new TypeError(`${path} is not a file. Settings must be a JSON file.`);
    if (found.size > maxBytes) {
      throw new TypeError(`${path} is larger than ${maxBytes} bytes. Shorten it.`);
    }
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof TypeError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new TypeError(`${path} can't be read: ${message}. Fix its permissions, or move it away.`);
  }
}
