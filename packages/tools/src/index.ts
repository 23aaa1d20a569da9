import type { Tool } from "@haft/contract";
import { read } from "./read/read.ts";
import { todo } from "./todo/todo.ts";
import { write } from "./write/write.ts";

export { type ReadArguments, read } from "./read/read.ts";
export type { ReadData } from "./read/read-data.ts";
export { type TodoArguments, type TodoData, todo } from "./todo/todo.ts";
export type { Todo, TodoInput, TodoPriority, TodoStatus } from "./todo/todo-list.ts";
export { type WriteArguments, type WriteData, write } from "./write/write.ts";

/** Every built-in tool. */
export const builtinTools: readonly Tool[] = [read, write, todo];
