import { readFile, stat } from "node:fs/promises";
import type { JsonValue } from "@haft/contract";
import { parseCommentedJson } from "@haft/core";
import { findBadLine } from "./find-bad-line.ts";

const mostBytes = 64_000;

/** What a file of settings says; nothing if there is none. Throws a `TypeError` if it can't be read. */
export async function readSettingsFile(path: string): Promise<JsonValue | undefined> {
  const content = await readSmallFile(path);
  if (content === undefined || content.trim() === "") return undefined;
  try {
    return parseCommentedJson(content);
  } catch {
    const line = findBadLine(content);
    throw new TypeError(
      `${path}, line ${line}: this is not JSON. Correct the line, such as a comma or quotation mark that is missing before it, or move the file away.`,
    );
  }
}

// It may have come with a repository: a pipe would be waited for without end.
async function readSmallFile(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new TypeError(`${path} is not a file. Settings are a file of JSON.`);
    if (found.size > mostBytes) {
      throw new TypeError(
        `${path} has more than ${mostBytes} bytes. Settings are short: cut it down.`,
      );
    }
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof TypeError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new TypeError(`${path} can't be read: ${message}. Let it be read, or move it away.`);
  }
}
