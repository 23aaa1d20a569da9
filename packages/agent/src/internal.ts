// For Haft's own packages. Unsupported: it changes without notice.
export type { AgentManifests } from "./manifests/agent-manifest.ts";
export { discoverManifests } from "./manifests/discover-manifests.ts";
export { parseManifest } from "./manifests/parse-manifest.ts";
export { findCompiler } from "./programs/check/find-compiler.ts";
export { createProgramPool } from "./programs/program-pool.ts";
export { createRunCodeTool } from "./programs/run-code-tool.ts";
export type { AgentSettings } from "./settings/agent-settings.ts";
export { rewind } from "./threads/rewind.ts";
