import type { JsonSchema } from "@haft/contract";
import type { ToolManifest } from "./manifest.ts";

/** A parsed `tool.json`. If it has no input schema, the code must export one. */
export interface ManifestDraft extends Omit<ToolManifest, "inputSchema"> {
  readonly inputSchema: JsonSchema | undefined;
}
