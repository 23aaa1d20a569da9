import type { LayerSupport } from "../layers/examine-layers.ts";
import type { SandboxContext } from "../sandbox/sandbox-context.ts";
import { findSandbox } from "./find-sandbox.ts";

/** The result of testing the sandbox. */
export interface SandboxExamination {
  readonly isolation: "sandbox" | "none";
  /** The sandbox, or that there is none. */
  readonly detail: string;
  /** Why there is none, and what to do about it. */
  readonly reason?: string;
  readonly remedy?: string;
  /** Whether commands can run on a layer of the workspace. Absent without a sandbox. */
  readonly layers?: LayerSupport;
}

/** Tests the sandbox of a machine. Never throws. */
export async function examineSandbox(place: SandboxContext): Promise<SandboxExamination> {
  try {
    const { finding } = await findSandbox(place);
    if (finding.sandbox !== undefined) {
      const layers = await finding.sandbox.examineLayers();
      return { isolation: "sandbox", detail: finding.detail, layers };
    }
    const { reason, remedy } = finding;
    return {
      isolation: "none",
      detail: `programs run without a sandbox: ${reason}`,
      reason,
      remedy,
    };
  } catch (error) {
    const reason = (error as Error).message;
    const remedy = "fix the reported problem, or run without a sandbox: --sandbox=off";
    return {
      isolation: "none",
      detail: `programs run without a sandbox: ${reason}`,
      reason,
      remedy,
    };
  }
}
