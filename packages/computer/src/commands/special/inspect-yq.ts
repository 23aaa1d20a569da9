import type { ScannedRisk } from "../scan-arguments.ts";
import type { Inspector } from "./inspector.ts";

/** Finds expressions of yq's that run programs. */
export const inspectYq: Inspector = ({ operands }, { words }) => ({
  findings: operands
    .filter((word) => words[word]?.includes("system"))
    .map((word): ScannedRisk => ({ word, kind: "runs", why: "system runs programs" })),
});
