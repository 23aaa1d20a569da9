/** What to do with a tool's variables: all of it, or nothing if any of it can't be done. */
export interface VariableChanges {
  readonly inserts: readonly NewVariable[];
  readonly updates: readonly Pick<NewVariable, "name" | "value">[];
  readonly deletes: readonly Pick<NewVariable, "name">[];
}

/** A variable to be. */
export interface NewVariable {
  readonly name: string;
  readonly value: string;
  readonly is_secret: boolean;
}
