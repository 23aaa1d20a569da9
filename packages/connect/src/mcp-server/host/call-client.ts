import type { OpenQuestion } from "@haft/computer/internal";
import type { Elicit } from "./elicit.ts";

/** How the user of a call's client can be asked. */
export interface CallClient {
  /** Shows a form. `undefined` if the client can't. */
  readonly elicit: Elicit | undefined;
  /** Called when the call begins to wait in the inbox, and when it no longer does. */
  onWaiting?(question: OpenQuestion | undefined): void;
}
