// For Haft's own packages. Unsupported: it changes without notice.
export type { Route } from "./api/route.ts";
export { restoreBackup } from "./backup/restore-backup.ts";
export { writeBackup } from "./backup/write-backup.ts";
export { createHistory } from "./history/create-history.ts";
export type { History, NewInvocation } from "./history/history.ts";
export { invocationRoutes } from "./history/invocation-routes.ts";
export type { MachineService } from "./machine/machine-service.ts";
export type {
  ChangeConflict,
  ListedMachineCall,
  MachineSession,
  MachineTimeline,
  TimelineQuery,
} from "./machine/session-values.ts";
export { newId } from "./new-id.ts";
export {
  type AuditReport,
  createAuditCheck,
  parseAuditAnchors,
} from "./operations/audit-check.ts";
export { createLog, type LogLevel } from "./operations/logging.ts";
export { defaultSettings, type PlatformSettings } from "./platform-settings.ts";
export {
  type BuiltProject,
  openProjectRunner,
  type ProjectRunner,
} from "./publish/open-project-runner.ts";
export { readInstalledFiles, readScaffold } from "./publish/scaffold.ts";
export { type LocalPlatform, openLocalPlatform } from "./serve/open-local-platform.ts";
export { openStore } from "./store/open-store.ts";
export type { Store, StoreLocation } from "./store/store.ts";
export {
  type OpenWorkbench,
  openWorkbench,
  startWorkbench,
  type Workbench,
  type WorkbenchOptions,
} from "./workbench/workbench.ts";
export type { WorkbenchMount } from "./workbench/workbench-mount.ts";
