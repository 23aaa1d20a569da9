import type { Computer } from "@haft/core";
import { type OpenScope, openScope } from "./open-scope.ts";

/** Makes a computer whose workspace holds these files, for the running test. */
export type CreateComputer = (files?: Readonly<Record<string, string>>) => Computer;

/** A computer with its workspace open for a call. */
export interface OpenWorkspace extends OpenScope {
  readonly computer: Computer;
  readonly root: string;
}

/** Opens the workspace of a computer. */
export function openWorkspace(computer: Computer): OpenWorkspace {
  return { computer, root: computer.roots[0] ?? "", ...openScope(computer) };
}
