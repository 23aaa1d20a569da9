/** The remedy where no language server can answer. */
export const remedy = "Use `grep` and `read` instead.";
