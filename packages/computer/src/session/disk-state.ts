import { join } from "node:path";
import type { JsonValue, SessionState } from "@haft/contract";
import { fileNameOf } from "./file-name.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { readSmallFile, writeSmallFile } from "./small-file.ts";

/** Keeps each value in a file of its own, replaced in one step: the last writer wins, and whole. */
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
    throw new Error(`${file} does not hold JSON. Remove it; the session will do without.`, {
      cause,
    });
  }
}
