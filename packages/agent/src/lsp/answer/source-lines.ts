import type { FileSystem } from "@haft/contract";
import { loadDocument } from "./load-document.ts";

/** The lines of files, as far as the call may read them. */
export interface SourceLines {
  /** `undefined` where the file can't be read. */
  of(path: string): Promise<readonly string[] | undefined>;
}

/** Reads each file once, when it is asked for. */
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

/** A text's lines as the protocol counts them. */
export function toLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/u);
}
