import type { Dialect } from "./dialect.ts";

/** The native tool names and schemas. This is the default dialect. */
export const portable: Dialect = { name: "portable", aliases: [], native: "shown" };
