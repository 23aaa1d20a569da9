import type { CommandInput, OptionTable } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { locateData } from "./data-directory.ts";
import type { StorePlace } from "./local-platform.ts";
import { optionText } from "./option-values.ts";

/** The options of commands that work on a store itself. */
export const storeOptions: OptionTable = {
  data: { type: "string" },
  database: { type: "string" },
  json: { type: "boolean" },
};

/** How `--help` describes them. */
export const storeHelp = `Which store:
      --data DIR        the data directory (default: HAFT_DATA, else the one that haft serve uses)
      --database URL    the PostgreSQL database that the platform uses instead of a file
      --json            print JSON on standard output, and nothing else
  -h, --help            show this

A server may be running on the same store meanwhile.
`;

/** Which store the options name. */
export function readStorePlace(input: CommandInput, io: Io): StorePlace {
  const database = optionText(input, "database");
  if (database !== undefined && !/^postgres(?:ql)?:\/\//u.test(database)) {
    // Not said again: there may be a password in it.
    throw new UsageError("--database takes the address of a PostgreSQL database, postgres://…");
  }
  return { directory: locateData(input, io), database };
}
