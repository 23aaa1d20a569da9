import type { JsonSchema } from "@haft/contract";

/** A project's `tool.json` with all defaults filled in. */
export interface ToolManifest {
  readonly name: string;
  readonly description: string;
  readonly runtime: "node" | "python";
  readonly inputSchema: JsonSchema;
  /** The schema of every output. Default: any output. */
  readonly outputSchema?: JsonSchema;
  readonly requiredEnvvars: readonly string[];
  readonly requiredSecretEnvvars: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly simulationHosts: readonly string[];
  readonly limits: { readonly timeoutMs: number; readonly memoryMb: number };
  /** `process` if invocations may share state. Default: each starts without any. */
  readonly reuse?: "process";
}
