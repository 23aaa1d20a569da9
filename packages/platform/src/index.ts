export { startWorkbench, type Workbench, type WorkbenchOptions } from "./workbench/workbench.ts";
export type { WorkbenchMount } from "./workbench/workbench-mount.ts";
