import type { Readable } from "node:stream";

/**
 * The lines of what git writes. Only a newline ends one: `node:readline` takes other characters for
 * an end too, which may stand in the name of a branch or file.
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
