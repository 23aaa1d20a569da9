import type { FileSystem } from "@haft/contract";
import { loadDocument } from "./load-document.ts";

/** Lines of files that the call may read. */
export interface SourceLines {
  /** Returns `undefined` if the file can't be read. */
  of(path: string): Promise<readonly string[] | undefined>;
}

/** Reads each file once, on first use. */
export function createSourceLines(fs: FileSystem): SourceLines {
  const read = new Map<string, Promise<readonly string[] | undefined>>();
  return {
    of: (path) => {
      const known = read.get(path);
      if (known !== undefined) return known;
      const lines = loadDocument(path, fs).then(
        ({ text }) => toLines(text),
        () => undefined,
      );
      read.set(path, lines);
      return lines;
    },
  };
}

/** Splits a text into lines as the protocol does. */
export function toLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/u);
}
