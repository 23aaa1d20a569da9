// For Haft's own packages. Unsupported: it changes without notice.
export type { Io } from "./io.ts";
export { main } from "./main.ts";
