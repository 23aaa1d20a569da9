import { resolve } from "node:path";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import { locateData } from "../environments/data-directory.ts";
import { platformFiles } from "../environments/local-platform.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";

/** `haft backup` */
export async function writeBackup(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const written = await platformFiles.backup({
    directory: locateData(input, io),
    file: resolve(io.directory, name),
    withoutKey: input.options["without-key"] === true,
    force: input.options.force === true,
  });
  if (input.options.json === true) {
    const { file, bytes, repositories, hasKey } = written;
    printJson({ file, bytes, repositories, master_key: hasKey }, io);
    return 0;
  }
  const size = `${(written.bytes / 1e6).toFixed(1)} MB`;
  io.out(`${toVisibleLine(`Wrote ${written.file} (${size}).`)}\n`);
  io.error(
    written.hasKey
      ? "haft: the file contains the master key. Protect it like the key\n"
      : "haft: the file does not contain the master key. Without the key, its secrets cannot be read\n",
  );
  return 0;
}
