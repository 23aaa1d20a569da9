import { ToolError } from "@haft/contract";

/** A time limit and the message when it is exceeded. */
export interface TimeLimit {
  readonly ms: number;
  readonly message: string;
}

/** Waits for a promise. Throws `timeout` after the limit. */
export async function keepWithin<Value>(promise: Promise<Value>, limit: TimeLimit): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ToolError("timeout", limit.message)), limit.ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
