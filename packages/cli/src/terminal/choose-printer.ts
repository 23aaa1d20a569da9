import { toVisibleLine } from "@haft/core/internal";
import type { Io } from "../io.ts";

/**
 * Chooses where lines for people go: to standard output; with `--json` to standard error if a question
 * follows, else nowhere.
 */
export function choosePrinter(
  { json, asks }: { readonly json: boolean; readonly asks: boolean },
  io: Io,
): (line: string) => void {
  if (json && !asks) return () => {};
  const write = json ? io.error : io.out;
  return (line) => write(`${toVisibleLine(line)}\n`);
}
