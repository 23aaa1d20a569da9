import type { Runtime } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import { toPlainText } from "./to-plain-text.ts";

const maxInspected = 4_096;
const maxMessageLength = 200;

/** Returns a callback that reports output as progress, with its last line as the message. */
export function reportOutput(progress: Runtime["progress"]): (text: string) => void {
  return (text) => {
    const lines = toPlainText(text.slice(-maxInspected)).split("\n");
    const line = lines.findLast((each) => each.trim() !== "")?.trim();
    progress(line === undefined ? {} : { message: clipText(line, maxMessageLength) });
  };
}
