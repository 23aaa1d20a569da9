import type { JsonSchema } from "@haft/contract";
import { checkKinds } from "./check-kind.ts";

const problem: JsonSchema = {
  type: "object",
  properties: {
    file: { type: "string", description: "From the workspace root." },
    line: { type: "integer" },
    column: { type: "integer" },
    severity: { enum: ["error", "warning", "info"] },
    code: { type: "string", description: "The rule or error number." },
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
    problem_count: { type: "integer", description: "Given if not all are here." },
    output: { type: "string", description: "The end of what it printed." },
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

/** The schema of what `check` gives. */
export const checkOutput: JsonSchema = {
  type: "object",
  properties: {
    passed: { type: "boolean", description: "True if all of them did." },
    message: { type: "string" },
    directory: { type: "string", description: "Where they were run, in full." },
    checks: { type: "array", items: result },
    skipped: { type: "array", items: skipped, description: "What could not be run." },
  },
  required: ["passed", "message", "directory", "checks"],
  additionalProperties: false,
};
