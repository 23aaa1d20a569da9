import type { Tool } from "@haft/contract";
import { createFindThreadTool } from "./find-thread-tool.ts";
import { createReadThreadTool } from "./read-thread-tool.ts";
import type { Threads } from "./threads.ts";

/** Creates the tools that search and read earlier threads. The threads are opened on first use. */
export function createThreadTools(openThreads: () => Promise<Threads>): readonly Tool[] {
  return [createFindThreadTool(openThreads) as Tool, createReadThreadTool(openThreads) as Tool];
}
