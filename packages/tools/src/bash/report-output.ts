import type { Runtime } from "@haft/contract";
import { toPlainText } from "./to-plain-text.ts";

const mostLooked = 4_096;
const longestMessage = 200;

/** Makes what reports output as it comes, as progress: its last line is the message. */
export function reportOutput(progress: Runtime["progress"]): (text: string) => void {
  return (text) => {
    const lines = toPlainText(text.slice(-mostLooked)).split("\n");
    const line = lines.findLast((each) => each.trim() !== "")?.trim();
    progress(line === undefined ? {} : { message: clip(line) });
  };
}

function clip(line: string): string {
  return line.length > longestMessage ? `${line.slice(0, longestMessage - 1)}…` : line;
}
