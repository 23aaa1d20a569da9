export { startWorkbench, type Workbench, type WorkbenchOptions } from "./workbench/workbench.ts";
