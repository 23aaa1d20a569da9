export { restoreBackup } from "./backup/restore-backup.ts";
export { writeBackup } from "./backup/write-backup.ts";
export { createLog, type Log, type LogLevel } from "./operations/logging.ts";
export type { Credentials } from "./organizations/credentials-file.ts";
export type { Problem } from "./problem.ts";
export { readScaffold } from "./publish/scaffold.ts";
export { type LocalPlatform, openLocalPlatform } from "./serve/open-local-platform.ts";
export type { PlatformRole } from "./serve/open-workshop.ts";
export { type Platform, type PlatformOptions, startPlatform } from "./serve/start-platform.ts";
export {
  type OpenWorkbench,
  openWorkbench,
  startWorkbench,
  type Workbench,
  type WorkbenchOptions,
} from "./workbench/workbench.ts";
export type { WorkbenchMount } from "./workbench/workbench-mount.ts";
