import { findDefinitionFault } from "../define-tool.ts";
import { compileRequirements } from "../requirements/compile-requirements.ts";
import { findRequirementFault } from "../requirements/find-requirement-fault.ts";
import type { Tool } from "../tool.ts";
import type { ToolContractCheck } from "./tool-contract-check.ts";

const kinds: readonly Tool["kind"][] = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "other",
];

const sources: readonly Tool["source"][] = ["builtin", "mcp", "toolbox", "module", "published"];

const standardVariables = {
  workspace: ["/workspace"],
  repository: ["/repository"],
  "ad-hoc": ["/ad-hoc"],
  "user-data": ["/user-data"],
  "allowed-hosts": ["allowed.example"],
};

/** Returns the checks of a tool's declaration, except its schemas. */
export function declarationChecks(tool: Tool): ToolContractCheck[] {
  return [
    {
      name: "has a valid id",
      run: async () => {
        const fault = findDefinitionFault({ ...sound, id: tool.id });
        if (fault !== undefined) throw new Error(fault);
      },
    },
    {
      name: "has a description that a model can use",
      run: async () => {
        const fault = findDescriptionFault(tool.description);
        if (fault !== undefined) throw new Error(`The description ${fault}.`);
      },
    },
    {
      name: "has a valid kind",
      run: async () => {
        if (!kinds.includes(tool.kind)) {
          throw new Error(`${JSON.stringify(tool.kind)} is not one of: ${kinds.join(", ")}.`);
        }
      },
    },
    {
      name: "has a valid source",
      run: async () => {
        if (!sources.includes(tool.source)) {
          throw new Error(`${JSON.stringify(tool.source)} is not one of: ${sources.join(", ")}.`);
        }
      },
    },
    {
      name: "has a positive timeout or none",
      run: async () => {
        const timeout = tool.timeoutMs;
        if (timeout === undefined || timeout === "none") return;
        if (typeof timeout !== "number" || !(timeout > 0 && timeout < Number.POSITIVE_INFINITY)) {
          throw new Error(
            `timeoutMs is ${timeout}. Use a positive number of milliseconds, or "none".`,
          );
        }
      },
    },
    {
      name: "has requirements that compile",
      run: async () => {
        const fault = findRequirementFault(tool.requires);
        if (fault !== undefined) throw new Error(fault);
        compileRequirements(tool.requires, standardVariables);
      },
    },
  ];
}

// Everything except the id is valid, so that only a fault of the id is found.
const sound = {
  description: "Sound.",
  parameters: { type: "object" },
  requires: {},
  execute: () => {},
} as const;

function findDescriptionFault(description: unknown): string | undefined {
  if (typeof description !== "string") return "is missing";
  if (description.trim().length < 20)
    return "is shorter than 20 characters, too short for a model to decide by";
  if (!/[.!?)`"]$/u.test(description.trimEnd())) return "does not end like a sentence";
  // Line breaks and tabs are layout; other control characters can only deceive a terminal.
  if (/[^\P{Cc}\n\t]/u.test(description)) return "has control characters";
  return undefined;
}
