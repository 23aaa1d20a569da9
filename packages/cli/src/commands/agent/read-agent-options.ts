import type { AgentLimits } from "@haft/agent";
import type { CommandInput } from "../../command.ts";
import { UsageError } from "../../usage-error.ts";

/** The options of `haft agent` other than the common ones. */
export interface AgentCommandOptions {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly agent: string | undefined;
  /** The thread to start or to continue. Default: a new one. */
  readonly session: string | undefined;
  /** Whether to continue the last thread of the workspace. */
  readonly continues: boolean;
  readonly limits: AgentLimits;
  readonly diagnostics: boolean | undefined;
  /** Paths of files to attach. */
  readonly files: readonly string[];
  readonly quiet: boolean;
}

/** Reads the options. Throws a `UsageError` if they contradict each other or a limit is invalid. */
export function readAgentOptions({ options }: CommandInput): AgentCommandOptions {
  const text = (name: string): string | undefined => options[name] as string | undefined;
  if (options.plan === true && (text("agent") ?? "plan") !== "plan") {
    throw new UsageError("--plan means --agent plan. Use only one of them.");
  }
  if (options.continue === true && text("session") !== undefined) {
    throw new UsageError("--continue selects the last session. Use it or --session, not both.");
  }
  if (options.json === true && options.quiet === true) {
    throw new UsageError(
      "--quiet prints only the answer and --json every event. Use only one of them.",
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
  const wanted = kind === "whole" ? "a whole number of at least 1" : "a number greater than 0";
  throw new UsageError(`${option} takes ${wanted}, not ${JSON.stringify(given)}.`);
}
