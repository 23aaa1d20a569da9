import type { DialectAlias } from "../dialect.ts";
import { writeAlias } from "../shared/write-alias.ts";

/** `Write`: makes a file or replaces all of it. */
export const write: DialectAlias = writeAlias("Write", "Edit");
