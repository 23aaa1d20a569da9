import type { Transport } from "@modelcontextprotocol/client";
import type { MessageScreen } from "./message-screen.ts";

/** A way to a server that knows what became of it. What it explains are ends of sentences. */
export interface ServerTransport extends Transport {
  readonly screen: MessageScreen;
  /** Why the connection ended. */
  explainEnd(): Promise<string>;
  /** Why it did not come about, where the library says only this. */
  explainFailure(failure: string): Promise<string>;
  /** Whether this process stays for the sake of the connection. */
  keepAlive(isNeeded: boolean): void;
}
