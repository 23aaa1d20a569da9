import type { DialectAlias } from "../dialect.ts";
import { writeAlias } from "../shared/write-alias.ts";

/** `write_file`: makes a file or replaces all of it. */
export const writeFile: DialectAlias = writeAlias("write_file", "replace");
