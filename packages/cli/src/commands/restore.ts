import { resolve } from "node:path";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import { platformFiles } from "../environments/local-platform.ts";
import { optionText } from "../environments/option-values.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";

/** `haft restore` */
export async function restoreBackup(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const data = optionText(input, "data") as string;
  const directory = resolve(io.directory, data);
  const restored = await platformFiles.restore({
    directory,
    file: resolve(io.directory, name),
    force: input.options.force === true,
  });
  const { createdAt, repositories, hasKey, replaced } = restored;
  if (input.options.json === true) {
    const facts = { directory, created_at: createdAt, repositories };
    printJson({ ...facts, master_key: hasKey, replaced: replaced ?? null }, io);
    return 0;
  }
  io.out(
    `${toVisibleLine(`Restored ${directory} as of ${createdAt}. Start it: haft serve --data ${data}`)}\n`,
  );
  if (replaced !== undefined) {
    io.error(`${toVisibleLine(`haft: the previous content is in ${replaced}`)}\n`);
  }
  if (!hasKey) {
    io.error(
      `${toVisibleLine(`haft: copy the master key to ${directory}/master.key before you start the platform`)}\n`,
    );
  }
  return 0;
}
