// The parts that measurements and embedders take one by one.
export type { Route } from "../api/route.ts";
export { createHistory } from "../history/create-history.ts";
export type { History, NewInvocation } from "../history/history.ts";
export { invocationRoutes } from "../history/invocation-routes.ts";
export { newId } from "../new-id.ts";
export { defaultSettings, type PlatformSettings } from "../platform-settings.ts";
export { openStore } from "../store/open-store.ts";
export type { Store, StoreLocation } from "../store/store.ts";
