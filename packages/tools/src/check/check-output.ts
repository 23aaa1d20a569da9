import type { JsonSchema } from "@haft/contract";
import { checkKinds } from "./check-kind.ts";

const problem: JsonSchema = {
  type: "object",
  properties: {
    file: { type: "string", description: "Relative to the workspace root." },
    line: { type: "integer" },
    column: { type: "integer" },
    severity: { enum: ["error", "warning", "info"] },
    code: { type: "string", description: "Rule or error number." },
    message: { type: "string" },
  },
  required: ["message"],
  additionalProperties: false,
};

const result: JsonSchema = {
  type: "object",
  properties: {
    kind: { enum: checkKinds },
    command: { type: "string" },
    passed: { type: "boolean" },
    exit_code: { type: ["integer", "null"], description: "null if a signal ended it." },
    signal: { type: "string" },
    problems: { type: "array", items: problem },
    problem_count: { type: "integer", description: "Total, if not all are listed." },
    output: { type: "string", description: "End of its output." },
    notes: { type: "array", items: { type: "string" } },
  },
  required: ["kind", "command", "passed", "exit_code", "problems", "output"],
  additionalProperties: false,
};

const skipped: JsonSchema = {
  type: "object",
  properties: { kind: { enum: checkKinds }, why: { type: "string" } },
  required: ["kind", "why"],
  additionalProperties: false,
};

/** The schema of the result of `check`. */
export const checkOutput: JsonSchema = {
  type: "object",
  properties: {
    passed: { type: "boolean", description: "True if all checks passed." },
    message: { type: "string" },
    directory: { type: "string", description: "Where they ran; absolute." },
    checks: { type: "array", items: result },
    skipped: { type: "array", items: skipped, description: "Checks that could not run." },
  },
  required: ["passed", "message", "directory", "checks"],
  additionalProperties: false,
};
