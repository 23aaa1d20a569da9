import { defineTool, type Runtime, type Tool, ToolError } from "@haft/contract";

/** Arguments of `plan_exit`. */
export interface PlanExitArguments {
  plan: string;
}

/** Result of `plan_exit`. */
export interface PlanExitData {
  approved: boolean;
  message: string;
}

/** Options of `createPlanExitTool`. */
export interface PlanExitOptions {
  /**
   * Switches the session to building from the next request on, and returns what happens next. Throws a
   * `ToolError` if the session is not in plan mode.
   */
  leave(session: string, plan: string): Promise<string>;
}

const build = "Build it";
const keepPlanning = "Keep planning";

/** Creates the tool that shows the user a plan and starts building once they approve. */
export function createPlanExitTool({
  leave,
}: PlanExitOptions): Tool<PlanExitArguments, PlanExitData> {
  return defineTool({
    id: "plan_exit",
    description: [
      "Shows the user a finished plan and asks whether to build it.",
      "If they approve, you can change files and run programs from the next step on. Otherwise you keep planning.",
      "Only for plan mode. Call it when the plan is complete. To ask about parts of it, use `question`.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        plan: {
          type: "string",
          minLength: 1,
          pattern: "\\S",
          description: "The whole plan in Markdown, written for the user.",
        },
      },
      required: ["plan"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        approved: { type: "boolean", description: "Whether the user approved the plan." },
        message: { type: "string", description: "What happens next." },
      },
      required: ["approved", "message"],
      additionalProperties: false,
    },
    requires: {},
    kind: "other",
    source: "builtin",
    // A person may take any time to answer.
    timeoutMs: "none",
    // Only one question at a time.
    execution: { resourceKeys: () => [{ key: "question", mode: "write", type: "name" }] },
    execute: async ({ plan }, runtime) => {
      const { session, signal } = runtime;
      if (signal.aborted) throw new ToolError("cancelled", "Aborted before the user was asked.");
      const words = await ask(plan, runtime);
      if (words.includes(build)) {
        return { approved: true, message: await leave(session.id, plan) };
      }
      const wish = words.filter((word) => word !== keepPlanning).join("\n");
      const said = wish === "" ? "" : ` Their comment: ${wish}`;
      return { approved: false, message: `The user wants to keep planning.${said}` };
    },
  });
}

async function ask(plan: string, { host }: Runtime): Promise<readonly string[]> {
  try {
    const [answer] = await host.question([
      {
        header: "Plan",
        question: `${plan}\n\nShould I build this?`,
        options: [
          { label: build, description: "Allow changing files and running programs." },
          { label: keepPlanning, description: "Change nothing yet." },
        ],
      },
    ]);
    return answer ?? [];
  } catch (error) {
    if (!ToolError.isInstance(error) || error.code !== "headless") throw error;
    throw new ToolError(
      "headless",
      "This session is not interactive, so the plan can't be approved. You stay in plan mode: give the plan as your answer.",
      { cause: error },
    );
  }
}
