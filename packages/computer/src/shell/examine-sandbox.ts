import type { SandboxPlace } from "../sandbox/sandbox-place.ts";
import { findSandbox } from "./find-sandbox.ts";

/** What was found out about what confines programs here. */
export interface SandboxExamination {
  readonly isolation: "sandbox" | "none";
  /** What confines them, or that nothing does. */
  readonly detail: string;
  /** Why nothing does, and what to do about it. */
  readonly reason?: string;
  readonly remedy?: string;
}

/** Tries out what confines programs of a place. Nothing it finds makes it throw. */
export async function examineSandbox(place: SandboxPlace): Promise<SandboxExamination> {
  try {
    const { finding } = await findSandbox(place);
    if (finding.sandbox !== undefined) return { isolation: "sandbox", detail: finding.detail };
    const { reason, remedy } = finding;
    return { isolation: "none", detail: `programs are not confined: ${reason}`, reason, remedy };
  } catch (error) {
    const reason = (error as Error).message;
    const remedy = "see what it says, or go without: --sandbox=off";
    return { isolation: "none", detail: `programs are not confined: ${reason}`, reason, remedy };
  }
}
