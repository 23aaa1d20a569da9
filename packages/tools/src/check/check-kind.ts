/** The kind of a check. */
export type CheckKind = "types" | "lint" | "test";

/** All kinds, in the order in which they run. */
export const checkKinds: readonly CheckKind[] = ["types", "lint", "test"];
