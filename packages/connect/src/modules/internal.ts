// For Haft's own packages. Unsupported: it changes without notice.
export { listUntrustedOfPlan, type PlanTrust } from "./plan/plan-trust.ts";
export { findPythonPath } from "./python/mount-python.ts";
export type { ChecklistId, ChecklistItem } from "./validate/checklist-item.ts";
export {
  type ModuleReport,
  type ValidateOptions,
  validateModule,
} from "./validate/validate-module.ts";
