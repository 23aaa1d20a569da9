import { toErrorMessage } from "@haft/contract/internal";

/** Returns the message of a thrown value in one line. */
export function toErrorLine(thrown: unknown): string {
  return toErrorMessage(thrown).replace(/\s+/gu, " ").trim();
}
