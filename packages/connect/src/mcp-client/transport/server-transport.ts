import type { Transport } from "@modelcontextprotocol/client";
import type { MessageScreen } from "./message-screen.ts";

/** A transport that can explain failures. Explanations are clauses such as "it ended". */
export interface ServerTransport extends Transport {
  readonly screen: MessageScreen;
  /** Explains why the connection ended. */
  explainEnd(): Promise<string>;
  /** Explains why connecting failed; `failure` is the SDK's message. */
  explainFailure(failure: string): Promise<string>;
  /** Sets whether the connection keeps this process alive. */
  keepAlive(isNeeded: boolean): void;
}
