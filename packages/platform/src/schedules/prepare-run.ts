import { findIdentity } from "../auth/identity.ts";
import type { Principal } from "../auth/principal.ts";
import { mayOnTool } from "../auth/tool-access.ts";
import type { Invoker, ReadyCall } from "../invoke/create-invoker.ts";
import type { JsonObject } from "../json.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { scheduleInputContext } from "../secrets/sealed-context.ts";
import type { ScheduleRow } from "../store/schema.ts";

/** The services that check a run before it starts. */
export type CheckParts = Pick<PlatformParts, "store" | "secrets" | "now"> & {
  readonly invoker: Pick<Invoker, "prepare">;
};

/** A call that may be made now, or why not. `lasts`: it can't be until somebody changes something. */
export type Checked =
  | { readonly principal: Principal; readonly ready: ReadyCall }
  | { readonly detail: string; readonly lasts: boolean };

/** Checks the creator's permission, the tool and the input, as they are now. */
export async function checkRun(parts: CheckParts, schedule: ScheduleRow): Promise<Checked> {
  const { tool_id: toolId, key_id: keyId, user_id: userId } = schedule;
  const identity = await findIdentity(parts.store.db, { keyId });
  if (
    identity === undefined ||
    identity.expiresAt <= parts.now() ||
    identity.principal.userId !== userId
  ) {
    const detail = `The API key ${keyId}, with which the schedule runs, was deleted or has expired. Resume the schedule with another key of the user ${userId}, or create it again.`;
    return { detail, lasts: false };
  }
  const { principal } = identity;
  if (!(await mayOnTool(principal, "Tool:InvokeTool", toolId))) {
    const detail = `The API key ${keyId}, with which the schedule runs, no longer has the permission Tool:InvokeTool for the tool.`;
    return { detail, lasts: false };
  }
  const sealed = scheduleInputContext(schedule.org_id, schedule.id);
  const input = JSON.parse(parts.secrets.open(schedule.input, sealed)) as JsonObject;
  try {
    return { principal, ready: await prepareRun(parts, principal, { ...schedule, input }) };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    // The tool or its version is gone.
    return { detail: error.message, lasts: error.status === 404 };
  }
}

/** Checks what a schedule invokes, without starting it. Throws a `Problem`. */
export async function prepareRun(
  { invoker }: Pick<CheckParts, "invoker">,
  principal: Principal,
  schedule: Pick<ScheduleRow, "id" | "tool_id" | "version"> & { readonly input: JsonObject },
): Promise<ReadyCall> {
  const input = {
    input_parameters: schedule.input,
    invocation_mode: "regular",
    nonsensitive_user_variables: {},
    sensitive_user_variables: {},
  } as const;
  try {
    return await invoker.prepare({
      ...{ principal, toolId: schedule.tool_id, version: schedule.version },
      ...{ request: { inputs: [input] }, via: { scheduleId: schedule.id } },
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error;
    const message = error.message.replace("inputs[0].input_parameters", "input");
    throw new Problem(400, message.replace(/ Nothing was run\.$/u, ""));
  }
}
