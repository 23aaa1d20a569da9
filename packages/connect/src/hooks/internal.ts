// For Haft's own packages. Unsupported: it changes without notice.
export { createHooks } from "./create-hooks.ts";
export { listHookPlaces } from "./find-hook-files.ts";
export {
  type HookFile,
  type HookFormatName,
  type HookMoment,
  hookDialects,
  nameEvent,
} from "./hook-file.ts";
export {
  type HookSources,
  isInWorkspace,
  type LoadedHooks,
  loadHooks,
  readHookText,
  refuseHook,
} from "./load-hooks.ts";
export { parseHookFile } from "./parse-hook-file.ts";
