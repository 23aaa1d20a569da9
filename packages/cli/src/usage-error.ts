/** The command line itself is wrong: the message says what, the help of the command says how. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
