/** One thing that must be true of every tool. */
export interface ToolContractCheck {
  /** A statement about the tool. */
  readonly name: string;
  /** Rejects with the reason if the statement is false. */
  run(): Promise<void>;
}
