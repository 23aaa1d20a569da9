import { findDefinitionFault } from "../define-tool.ts";
import { compileRequirements } from "../requirements/compile-requirements.ts";
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
  "ad-hoc": ["/ad-hoc"],
  "user-data": ["/user-data"],
  "allowed-hosts": ["allowed.example"],
};

/** What must be true of a tool's declaration, its schemas aside. */
export function declarationChecks(tool: Tool): ToolContractCheck[] {
  return [
    {
      name: "has a legal id",
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
      name: "has a legal kind",
      run: async () => {
        if (!kinds.includes(tool.kind)) {
          throw new Error(`${JSON.stringify(tool.kind)} is none of: ${kinds.join(", ")}.`);
        }
      },
    },
    {
      name: "has a legal source",
      run: async () => {
        if (!sources.includes(tool.source)) {
          throw new Error(`${JSON.stringify(tool.source)} is none of: ${sources.join(", ")}.`);
        }
      },
    },
    {
      name: "has a positive timeout or none",
      run: async () => {
        const timeout = tool.timeoutMs;
        if (timeout === undefined || timeout === "none") return;
        if (typeof timeout !== "number" || !(timeout > 0 && timeout < Number.POSITIVE_INFINITY)) {
          throw new Error(`timeoutMs is ${timeout}; it is milliseconds above zero, or "none".`);
        }
      },
    },
    {
      name: "has requirements that compile",
      run: async () => {
        if (typeof tool.requires !== "object" || tool.requires === null) {
          throw new Error("It declares no requires; a tool that needs nothing declares {}.");
        }
        compileRequirements(tool.requires, standardVariables);
      },
    },
  ];
}

// Everything but the id is sound, so that only a fault of the id is found.
const sound = { description: "Sound.", parameters: { type: "object" } } as const;

function findDescriptionFault(description: unknown): string | undefined {
  if (typeof description !== "string") return "is missing";
  if (description.trim().length < 20) return "is too short to decide by: 20 characters at least";
  if (!/[.!?)`"]$/u.test(description.trimEnd())) return "does not end as a sentence does";
  // Line breaks and tabs are layout; other control characters can only deceive a terminal.
  if (/[^\P{Cc}\n\t]/u.test(description)) return "has control characters";
  return undefined;
}
