import type { JsonSchema } from "@haft/contract";
import type { ToolManifest } from "./manifest.ts";

/** A `tool.json` that was understood. Without an input schema the code has to export one. */
export interface ManifestDraft extends Omit<ToolManifest, "inputSchema"> {
  readonly inputSchema: JsonSchema | undefined;
}
