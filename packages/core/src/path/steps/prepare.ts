import { certainlyFits } from "../../schema/schema-check.ts";
import { takeReading } from "../../synonyms/take-reading.ts";
import { repairArguments } from "../arguments.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/**
 * Repairs common mistakes in a model's JSON, restores secrets in text to be written, and lets the tool
 * normalise its arguments.
 */
export function prepare(call: Call, context: CallContext): void {
  const didFit = repairArguments(call, call.tool.parameters);
  if (!didFit && call.tool.source === "builtin") readInOtherWords(call, context);
  call.argsFit = didFit && call.tool.prepare === undefined;
  restoreSecrets(call, context);
  normalise(call, context);
}

function readInOtherWords(call: Call, context: CallContext): void {
  const isConverted = call.alias?.toArguments !== undefined;
  if (!isConverted && !certainlyFits(call.tool.parameters, call.args)) takeReading(call, context);
}

// The model sees the secrets of a file as placeholders. Written unchanged, they would overwrite the secrets.
function restoreSecrets(call: Call, context: CallContext): void {
  if (call.tool.kind !== "edit") return;
  const restored = context.secrets.restore(call.args, () => filesOf(call, context));
  if (restored === call.args) return;
  call.args = restored;
  call.argsFit = false;
}

function filesOf({ tool, args }: Call, { computer }: CallContext): string[] {
  try {
    const keys = tool.execution?.resourceKeys?.(args) ?? [];
    return keys
      .filter(({ type = "file", mode }) => type === "file" && mode === "write")
      .map(({ key }) => computer.resolve(key));
  } catch {
    // Arguments that name no file have no file to restore secrets for.
    return [];
  }
}

function normalise(call: Call, context: CallContext): void {
  const { tool } = call;
  if (tool.prepare === undefined || typeof call.args !== "object" || call.args === null) return;
  try {
    call.args = tool.prepare(call.args, context.prepareEnvironment);
  } catch {
    // Validation reports arguments that can't be normalised.
  }
}
