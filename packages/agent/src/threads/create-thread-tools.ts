import type { Tool } from "@haft/contract";
import { createFindThreadTool } from "./find-thread-tool.ts";
import { createReadThreadTool } from "./read-thread-tool.ts";
import type { Threads } from "./threads.ts";

/** The tools that look into earlier threads. These are opened when one of the tools is first used. */
export function createThreadTools(openThreads: () => Promise<Threads>): readonly Tool[] {
  return [createFindThreadTool(openThreads) as Tool, createReadThreadTool(openThreads) as Tool];
}
