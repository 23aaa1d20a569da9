import { resolve } from "node:path";
import { toVisibleLine } from "@haft/core";
import type { Command } from "../command.ts";
import { locateData } from "../environments/data-directory.ts";
import { platformFiles } from "../environments/local-platform.ts";
import { refuseMore } from "../environments/option-values.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft backup` */
export const backup: Command = {
  help: `Write everything that a platform keeps in its data directory into one file, while it runs.

Usage: haft backup FILE

The file holds the database, the repositories, credentials.json and master.key: whoever has it can
read every secret. Only you can read it; guard it as you do the key. A platform that uses PostgreSQL
is backed up with pg_dump instead.

      --data DIR        the data directory (default: HAFT_DATA, else the one that haft serve uses)
      --without-key     leave master.key out; keep it elsewhere, or the secrets are lost
      --force           replace FILE if it is there
      --json            print JSON on standard output, and nothing else
  -h, --help            show this

Examples:
  haft backup platform.tar
  haft backup /backups/haft.tar --data /var/lib/haft --force
  haft restore platform.tar --data ./restored
`,
  options: {
    data: { type: "string" },
    "without-key": { type: "boolean" },
    force: { type: "boolean" },
    json: { type: "boolean" },
  },
  run: async (input, io) => {
    refuseMore(input.positionals, 1);
    const [name] = input.positionals;
    if (name === undefined) throw new UsageError("Where to? haft backup FILE");
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
        ? "haft: it holds the master key: guard it as you do the key\n"
        : "haft: it does not hold the master key; without that, secrets in it can't be read\n",
    );
    return 0;
  },
};
