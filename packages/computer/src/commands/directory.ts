/** Where something runs; `undefined` if that is not known. */
export type Directory = string | undefined;

/** Where what follows runs, by whether what came before succeeded. */
export interface Outcome {
  readonly succeeded: Directory;
  readonly failed: Directory;
}

/** The outcome of what changes no directory. */
export function stays(directory: Directory): Outcome {
  return { succeeded: directory, failed: directory };
}

/** Where the next command runs if nobody asked how those before ended. */
export function afterAll(...outcomes: readonly Outcome[]): Directory {
  const directory = outcomes[0]?.succeeded;
  return outcomes.every(({ succeeded, failed }) => succeeded === directory && failed === directory)
    ? directory
    : undefined;
}
