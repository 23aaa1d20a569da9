import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { UsageError } from "../../usage-error.ts";
import { exportFormats, type WriteExport } from "./export-formats.ts";
import { withRecords } from "./open-records.ts";

/** `haft sessions export` */
export async function exportSession(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const wanted = input.positionals[0] ?? options.session;
  const write = chooseFormat(input);
  const { output } = input.options;
  await withRecords(options, io, ({ threads, find }) => {
    const pieces = write({ id: find(wanted), threads });
    if (typeof output === "string") writeFile(resolve(io.directory, output), pieces);
    else for (const piece of pieces) io.out(piece);
  });
  if (typeof output === "string") io.error(`haft: exported ${wanted} to ${output}\n`);
  return 0;
}

function chooseFormat({ options }: CommandInput): WriteExport {
  const { format = "json" } = options;
  return exportFormats.get(String(format)) as WriteExport;
}

// An existing file stays until the new one is complete. Only the owner can read it: threads are private.
function writeFile(path: string, pieces: Iterable<string>): void {
  const part = `${path}.${process.pid}.part`;
  try {
    const file = openSync(part, "wx", 0o600);
    try {
      for (const piece of pieces) writeWhole(file, Buffer.from(piece));
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw new UsageError(`--output: ${(error as Error).message}`);
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}
