import { hash } from "node:crypto";
import { join } from "node:path";
import type { JsonValue, SessionState } from "@haft/contract";
import type { SessionDirectory } from "./session-directory.ts";
import { readSmallFile, writeSmallFile } from "./small-file.ts";

/** Stores each value in its own file, replaced in one step: the last writer wins. */
export function createDiskState(directory: SessionDirectory): SessionState {
  return {
    get: async (key) => {
      const file = join(directory.path, "state", fileNameOf(key));
      const text = readSmallFile(file);
      return text === undefined ? undefined : parseValue(text, file);
    },
    set: async (key, value) => {
      const text = JSON.stringify(value);
      if (text === undefined)
        throw new TypeError(`The value of ${JSON.stringify(key)} is not JSON.`);
      writeSmallFile(join(directory.make("state"), fileNameOf(key)), text, directory.path);
    },
  };
}

function parseValue(text: string, file: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new Error(
      `${file} does not contain valid JSON. Remove it; the session works without it.`,
      {
        cause,
      },
    );
  }
}

/**
 * Returns a file name for any text; different texts get different names. Capitals are escaped because
 * some file systems ignore case.
 */
function fileNameOf(text: string): string {
  const name = Buffer.from(text)
    .toString("latin1")
    .replace(/[^a-z0-9_-]/gu, spellOut);
  return name.length <= 200 ? `${name}.json` : `%x${hash("sha256", text)}.json`;
}

function spellOut(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
