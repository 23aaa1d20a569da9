import { stripTypeScriptTypes } from "node:module";

/** Takes the types out of TypeScript, and writes anew what is more than types, such as enums. */
export function stripTypes(source: string): string {
  return withoutNotice(() => {
    try {
      return stripTypeScriptTypes(source);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX")
        throw error;
      return stripTypeScriptTypes(source, { mode: "transform" });
    }
  });
}

// Node tells everybody once that this function may change. Whoever mounts a module can do nothing
// about that.
function withoutNotice<Value>(work: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = (): void => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
