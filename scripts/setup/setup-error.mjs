/** A failure of the setup that a person can do something about; the message says what. */
export class SetupError extends Error {}
