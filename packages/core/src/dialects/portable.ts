import type { Dialect } from "./dialect.ts";

/**
 * The native tool names and schemas. This is the default dialect.
 *
 * @example
 * ```ts
 * import { portable } from "@haft/core";
 *
 * portable.native; // "shown"
 * ```
 */
export const portable: Dialect = { name: "portable", aliases: [], native: "shown" };
