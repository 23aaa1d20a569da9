/** What a check looks at. */
export type CheckKind = "types" | "lint" | "test";

/** All kinds, in the order in which they are run. */
export const checkKinds: readonly CheckKind[] = ["types", "lint", "test"];
