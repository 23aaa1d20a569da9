import type { Readable } from "node:stream";

/**
 * Yields the lines of git's output. Only a newline ends a line: `node:readline` also splits at other
 * characters, which may occur in the name of a branch or file.
 */
export async function* readLines(input: Readable): AsyncGenerator<string> {
  let rest = "";
  input.setEncoding("utf8");
  for await (const text of input as AsyncIterable<string>) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
