import { toErrorMessage } from "@haft/contract/internal";
import type { Call } from "../path/call.ts";
import type { CallContext } from "../path/context.ts";
import { available } from "../path/steps/available.ts";
import { capability } from "../path/steps/capability.ts";
import { rules } from "../path/steps/rules.ts";
import { understandCall } from "../path/understand-call.ts";
import { type Footprint, findConflict } from "../schedule/conflicts.ts";

/** One call of a plan: what it waits for, and why. */
export interface PlannedCall {
  readonly id: string;
  readonly name: string;
  /** The native id, if the name resolves. */
  readonly tool?: string;
  readonly waits_for: readonly { readonly id: string; readonly why: string }[];
  /** Why the call would fail before it ran. */
  readonly error_text?: string;
}

/** What would run beside what. */
export interface Plan {
  /** The calls in groups that run together, as if each group waited for the one before. */
  readonly batches: readonly (readonly string[])[];
  /** What really happens: a call starts when the calls it waits for have ended. */
  readonly calls: readonly PlannedCall[];
}

interface Understood {
  readonly call: Call;
  readonly footprint: Footprint | undefined;
  readonly error: string | undefined;
}

/** Works out how a batch would run, without running it. */
export async function planCalls(calls: readonly Call[], context: CallContext): Promise<Plan> {
  const understood = await Promise.all(calls.map((call) => understand(call, context)));
  const identify = (path: string): string => context.computer.identify(path);
  const planned = understood.map((later, index): PlannedCall => {
    const { call, footprint, error } = later;
    const waits_for = understood.slice(0, index).flatMap((earlier) => {
      if (footprint === undefined || earlier.footprint === undefined) return [];
      const why = findConflict(earlier.footprint, footprint, identify);
      return why === undefined ? [] : [{ id: earlier.call.id, why }];
    });
    return {
      id: call.id,
      name: call.name,
      ...(call.tool === undefined ? {} : { tool: call.tool.id }),
      waits_for,
      ...(error === undefined ? {} : { error_text: error }),
    };
  });
  return { batches: groupCalls(planned), calls: planned };
}

function groupCalls(planned: readonly PlannedCall[]): string[][] {
  const batches: string[][] = [];
  for (const call of planned) {
    if (call.error_text !== undefined) continue;
    const current = batches.at(-1);
    if (current === undefined || call.waits_for.some(({ id }) => current.includes(id))) {
      batches.push([call.id]);
    } else {
      current.push(call.id);
    }
  }
  return batches;
}

async function understand(call: Call, context: CallContext): Promise<Understood> {
  try {
    const footprint = await understandCall(call, context);
    for (const step of [available, capability, rules]) await step(call, context);
    return { call, footprint, error: undefined };
  } catch (error) {
    return { call, footprint: undefined, error: toErrorMessage(error) };
  }
}
