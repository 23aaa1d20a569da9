export {
  createMemoryComputer,
  type MemoryComputer,
  type MemoryComputerOptions,
} from "./memory-computer.ts";
export type { MemorySession } from "./memory-session.ts";
