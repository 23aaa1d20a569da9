import type { AgentLimits } from "@haft/agent";
import type { CommandInput, OptionTable } from "../../command.ts";
import { UsageError } from "../../usage-error.ts";

/** What `haft agent` takes beside the common options. */
export interface AgentCommandOptions {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly agent: string | undefined;
  /** The thread to start or to go on with; a new one unless said. */
  readonly session: string | undefined;
  /** Go on with the last thread of the workspace. */
  readonly continues: boolean;
  readonly limits: AgentLimits;
  readonly diagnostics: boolean | undefined;
  /** Paths of files to attach. */
  readonly files: readonly string[];
  readonly quiet: boolean;
}

/** The options of `haft agent` beside the common ones. */
export const agentOptions: OptionTable = {
  model: { type: "string" },
  "base-url": { type: "string" },
  agent: { type: "string" },
  plan: { type: "boolean" },
  "max-steps": { type: "string" },
  "max-tokens": { type: "string" },
  "max-cost": { type: "string" },
  diagnostics: { type: "boolean" },
  file: { type: "string", multiple: true },
  continue: { type: "boolean" },
  quiet: { type: "boolean" },
};

/** Reads them; what is wrong with them is a `UsageError`. */
export function readAgentOptions({ options }: CommandInput): AgentCommandOptions {
  const text = (name: string): string | undefined => options[name] as string | undefined;
  if (options.plan === true && (text("agent") ?? "plan") !== "plan") {
    throw new UsageError("--plan is --agent plan: give one of the two.");
  }
  if (options.continue === true && text("session") !== undefined) {
    throw new UsageError("--continue takes the last session: give it or --session, not both.");
  }
  if (options.json === true && options.quiet === true) {
    throw new UsageError(
      "--quiet prints the answer only, --json every event: give one of the two.",
    );
  }
  return {
    model: text("model"),
    baseUrl: text("base-url"),
    agent: options.plan === true ? "plan" : text("agent"),
    session: text("session"),
    continues: options.continue === true,
    limits: {
      maxSteps: readLimit("--max-steps", text("max-steps"), "whole"),
      maxTokens: readLimit("--max-tokens", text("max-tokens"), "whole"),
      maxCost: readLimit("--max-cost", text("max-cost"), "any"),
    },
    diagnostics: options.diagnostics === true ? true : undefined,
    files: (options.file as string[] | undefined) ?? [],
    quiet: options.quiet === true,
  };
}

function readLimit(
  option: string,
  given: string | undefined,
  kind: "whole" | "any",
): number | undefined {
  if (given === undefined) return undefined;
  const number = /^\d+(?:\.\d+)?$/u.test(given) ? Number(given) : Number.NaN;
  if (number > 0 && (kind === "any" || Number.isSafeInteger(number))) return number;
  const wanted = kind === "whole" ? "a whole number from 1 on" : "a number above 0";
  throw new UsageError(`${option} takes ${wanted}, not ${JSON.stringify(given)}.`);
}
