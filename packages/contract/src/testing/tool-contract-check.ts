/** One check of the tool contract. */
export interface ToolContractCheck {
  /** A statement about the tool. */
  readonly name: string;
  /** Rejects with the reason if the statement is false. */
  run(): Promise<void>;
}
