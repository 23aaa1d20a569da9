import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { openPlace, requireServer } from "./servers/open-place.ts";

/** `haft mcp remove`: forgets a server, with what it was pinned to, its tokens and its home. */
export async function removeServer(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const { store } = openPlace(options, io);
  const { name } = requireServer(positionals, store);
  store.remove(name);
  if (options.json) printJson({ name, removed: true }, io);
  else io.out(`Removed ${name}.\n`);
  return 0;
}
