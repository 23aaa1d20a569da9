export type { ModuleComputer } from "./mount-module.ts";
export { type MountedPlan, type MountPlanOptions, openMountPlan } from "./open-mount-plan.ts";
