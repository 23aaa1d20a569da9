import type { Dialect } from "./dialect.ts";

/** The native names and schemas, as they are. */
export const portable: Dialect = { name: "portable", aliases: [], native: "shown" };
