import { defineTool, type Runtime, type Tool, ToolError } from "@haft/contract";

/** The arguments of `plan_exit`. */
export interface PlanExitArguments {
  plan: string;
}

/** Whether the plan is to be carried out. */
export interface PlanExitData {
  approved: boolean;
  message: string;
}

/** What `plan_exit` leads to. */
export interface PlanExitOptions {
  /**
   * Has the session go on building from the next request on, and says what happens next. Throws a
   * `ToolError` where there is no plan mode to leave.
   */
  leave(session: string, plan: string): Promise<string>;
}

const build = "Build it";
const keepPlanning = "Keep planning";

/** Shows the person a plan, and has it carried out if they say so. */
export function createPlanExitTool({
  leave,
}: PlanExitOptions): Tool<PlanExitArguments, PlanExitData> {
  return defineTool({
    id: "plan_exit",
    description: [
      "Shows the person a finished plan and asks whether to build it.",
      "If they say yes, you can change files and run programs from the next step on; else you go on planning.",
      "For plan mode alone. Call it when the plan is complete, not to ask about parts of it: question does that.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        plan: {
          type: "string",
          minLength: 1,
          pattern: "\\S",
          description: "The whole plan, in Markdown, as the person is to read it.",
        },
      },
      required: ["plan"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        approved: { type: "boolean", description: "Whether it is to be carried out." },
        message: { type: "string", description: "What happens next." },
      },
      required: ["approved", "message"],
      additionalProperties: false,
    },
    requires: {},
    kind: "other",
    source: "builtin",
    // A person takes the time they take.
    timeoutMs: "none",
    // Nobody can be asked two things at once.
    execution: { resourceKeys: () => [{ key: "question", mode: "write", type: "name" }] },
    execute: async ({ plan }, runtime) => {
      const { session, signal } = runtime;
      if (signal.aborted) throw new ToolError("cancelled", "Asked nothing: aborted.");
      const words = await ask(plan, runtime);
      if (words.includes(build)) {
        return { approved: true, message: await leave(session.id, plan) };
      }
      const wish = words.filter((word) => word !== keepPlanning).join("\n");
      const said = wish === "" ? "" : ` They say: ${wish}`;
      return { approved: false, message: `The person wants to keep planning.${said}` };
    },
  });
}

async function ask(plan: string, { host }: Runtime): Promise<readonly string[]> {
  try {
    const [answer] = await host.question([
      {
        header: "Plan",
        question: `${plan}\n\nShall I build this?`,
        options: [
          { label: build, description: "Files may be changed and programs run from here on." },
          { label: keepPlanning, description: "Nothing is changed." },
        ],
      },
    ]);
    return answer ?? [];
  } catch (error) {
    if (!ToolError.isInstance(error) || error.code !== "headless") throw error;
    throw new ToolError(
      "headless",
      "Nobody is present who could say that the plan is to be built. You stay in plan mode: give the plan as your answer.",
      { cause: error },
    );
  }
}
