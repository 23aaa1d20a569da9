import { type Runtime, ToolError } from "@haft/contract";
import { utf8Length } from "@haft/contract/internal";
import type { ReadData } from "./read-data.ts";

/** A directory and the range of entries to list. */
export interface EntryRequest {
  readonly path: string;
  /** The first entry, from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** Lists a directory, one name per line; directories end with a slash. */
export async function listEntries(request: EntryRequest, runtime: Runtime): Promise<ReadData> {
  const { path, offset, limit, maxBytes } = request;
  const entries = await runtime.fs.list(path);
  if (offset > Math.max(entries.length, 1)) {
    throw new ToolError(
      "invalid-arguments",
      `Line ${offset} is past the end: ${path} has ${entries.length} entries.`,
      { absolutePath: path },
    );
  }
  const lines: string[] = [];
  let bytes = 0;
  for (const entry of entries.slice(offset - 1, offset - 1 + limit)) {
    const line = toLine(entry.name, entry.kind === "directory");
    bytes += utf8Length(line) + 1;
    if (bytes > maxBytes) break;
    lines.push(line);
  }
  const data: ReadData = { path, type: "directory", content: lines.join("\n") };
  const next = offset + lines.length;
  if (lines.length > 0) {
    data.start_line = offset;
    data.end_line = next - 1;
  }
  if (next <= entries.length) data.next_offset = next;
  data.total_lines = entries.length;
  return data;
}

function toLine(name: string, isDirectory: boolean): string {
  // A name with a line break would look like two.
  const shown = /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
  return isDirectory ? `${shown}/` : shown;
}
