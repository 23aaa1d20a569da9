// For Haft's own packages. Unsupported: it changes without notice.
export type { ToolContractCheck } from "./tool-contract-check.ts";
export { toolContractChecks } from "./tool-contract-checks.ts";
