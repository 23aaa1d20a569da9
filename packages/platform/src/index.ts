export type { Log } from "./operations/logging.ts";
export type { Credentials } from "./organizations/credentials-file.ts";
export type { Problem } from "./problem.ts";
export type { PlatformRole } from "./serve/open-execution-backend.ts";
export type { Platform, PlatformOptions } from "./serve/platform.ts";
export { startPlatform } from "./serve/start-platform.ts";
