import { ToolError } from "@haft/contract";

/** What somebody else's code may take, and what is said when it takes longer. */
export interface TimeLimit {
  readonly ms: number;
  readonly message: string;
}

/** Waits for a promise, but no longer than the limit. */
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
