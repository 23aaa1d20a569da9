export type { ModuleComputer } from "./mount-module.ts";
export { type MountedPlan, type MountPlanOptions, openMountPlan } from "./open-mount-plan.ts";
export type { ChecklistId, ChecklistItem } from "./validate/checklist-item.ts";
export {
  type ModuleReport,
  type ValidateOptions,
  validateModule,
} from "./validate/validate-module.ts";
