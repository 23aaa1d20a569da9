import type { ScannedRisk } from "../scan-arguments.ts";
import type { Inspector } from "./inspector.ts";

/** Tells a date to print from one to set. */
export const inspectDate: Inspector = ({ operands }, { words }) => ({
  findings: operands
    .filter((word) => words[word]?.startsWith("+") !== true)
    .map((word): ScannedRisk => ({ word, kind: "writes", why: "it sets the clock" })),
});
