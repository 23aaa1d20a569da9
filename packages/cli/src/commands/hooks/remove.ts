import { resolve } from "node:path";
import { stateDirectory } from "@haft/computer/internal";
import { listImportedHooks, storeImportedHooks } from "@haft/connect/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";

/** `haft hooks remove`: forgets imported hooks. */
export async function removeHooks(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const directory = stateDirectory(io.environment);
  const imported = listImportedHooks(directory);
  const isNamed = ({ path, format }: (typeof imported)[number]): boolean =>
    positionals.length === 0 ||
    positionals.some((word) => word === format || resolve(io.directory, word) === path);
  const removed = imported.filter(isNamed);
  if (removed.length === 0 && positionals.length > 0) {
    const known = imported.map(({ path }) => path).join(", ") || "none";
    throw new UsageError(`No hooks of ${positionals.join(", ")} are imported. Imported: ${known}.`);
  }
  storeImportedHooks(
    directory,
    imported.filter((one) => !removed.includes(one)),
  );
  const paths = removed.map(({ path }) => path);
  if (options.json) printJson({ removed: paths }, io);
  else io.out(paths.length === 0 ? "No hooks are imported.\n" : `Removed: ${paths.join(", ")}\n`);
  return 0;
}
