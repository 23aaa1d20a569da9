/** The working directory of a command; `undefined` if it is not known. */
export type Directory = string | undefined;

/** The working directory of what follows, by whether the command before succeeded. */
export interface Outcome {
  readonly succeeded: Directory;
  readonly failed: Directory;
}

/** The outcome of a command that changes no directory. */
export function stays(directory: Directory): Outcome {
  return { succeeded: directory, failed: directory };
}

/** The working directory of the next command, whether or not those before succeeded. */
export function afterAll(...outcomes: readonly Outcome[]): Directory {
  const directory = outcomes[0]?.succeeded;
  return outcomes.every(({ succeeded, failed }) => succeeded === directory && failed === directory)
    ? directory
    : undefined;
}
