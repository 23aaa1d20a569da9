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
  const { write, output } = chooseFormat(input);
  await withRecords(options, io, ({ threads, find }) => {
    const pieces = write({ id: find(wanted), threads });
    if (output !== undefined)
      writeFile({ ...output, path: resolve(io.directory, output.path) }, pieces);
    else for (const piece of pieces) io.out(piece);
  });
  if (output !== undefined) io.error(`haft: exported ${wanted} to ${output.path}\n`);
  return 0;
}

interface ExportChoice {
  readonly write: WriteExport;
  /** Default: standard output. */
  readonly output: ExportFile | undefined;
}

interface ExportFile {
  /** As given. */
  readonly path: string;
  /** The option that names it. */
  readonly option: string;
}

function chooseFormat({ options }: CommandInput): ExportChoice {
  const { html, format, output } = options;
  if (html !== undefined && (format !== undefined || output !== undefined)) {
    throw new UsageError(
      "--html FILE means --format html --output FILE. Leave --format and --output out.",
    );
  }
  const path = html ?? output;
  return {
    write: exportFormats.get(html === undefined ? String(format ?? "json") : "html") as WriteExport,
    output:
      typeof path === "string"
        ? { path, option: html === undefined ? "--output" : "--html" }
        : undefined,
  };
}

// An existing file stays until the new one is complete. Only the owner can read it: threads are private.
function writeFile({ path, option }: ExportFile, pieces: Iterable<string>): void {
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
    throw new UsageError(`${option}: ${(error as Error).message}`);
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}
