import { repairArguments } from "../arguments.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/**
 * Repairs what models get wrong about JSON, puts secrets back into what is to be written, then lets
 * the tool normalise its arguments.
 */
export function prepare(call: Call, context: CallContext): void | Promise<void> {
  const repaired = repairArguments(call, call.tool.parameters);
  if (repaired !== undefined) {
    return repaired.then(() => {
      restoreSecrets(call, context);
      normalise(call, context);
    });
  }
  call.argsFit = call.tool.prepare === undefined;
  restoreSecrets(call, context);
  normalise(call, context);
}

// Who changes a file knows its secrets as placeholders. Written as they are, they would replace them.
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
    // Arguments that say of no file what it is have no file to put anything into.
    return [];
  }
}

function normalise(call: Call, context: CallContext): void {
  const { tool } = call;
  if (tool.prepare === undefined || typeof call.args !== "object" || call.args === null) return;
  try {
    call.args = tool.prepare(call.args, context.prepareEnvironment);
  } catch {
    // Arguments so odd that normalising throws are for validation to name.
  }
}
