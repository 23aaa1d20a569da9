import { resolve } from "node:path";
import { toVisibleLine } from "@haft/core";
import type { Command } from "../command.ts";
import { platformFiles } from "../environments/local-platform.ts";
import { optionText, refuseMore } from "../environments/option-values.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft restore` */
export const restore: Command = {
  help: `Make a data directory of what haft backup wrote.

Usage: haft restore FILE --data DIR

Everything in the file is checked first; if something is wrong with it, nothing is changed.

      --data DIR        where to: an empty directory, or one that is not there yet
      --force           put what is in DIR aside, into DIR/replaced-…; no platform may run on it
      --json            print JSON on standard output, and nothing else
  -h, --help            show this

Examples:
  haft restore platform.tar --data ./restored
  haft serve --data ./restored
`,
  options: {
    data: { type: "string" },
    force: { type: "boolean" },
    json: { type: "boolean" },
  },
  run: async (input, io) => {
    refuseMore(input.positionals, 1);
    const [name] = input.positionals;
    const data = optionText(input, "data");
    // Never where a platform usually is, unless somebody says so.
    if (name === undefined || data === undefined) {
      throw new UsageError("What, and where to? haft restore FILE --data DIR");
    }
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
      io.error(`${toVisibleLine(`haft: what was there before is in ${replaced}`)}\n`);
    }
    if (!hasKey) {
      io.error(
        `${toVisibleLine(`haft: put the master key into ${directory}/master.key before you start it`)}\n`,
      );
    }
    return 0;
  },
};
