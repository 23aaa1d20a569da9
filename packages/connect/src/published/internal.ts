// For Haft's own packages. Unsupported: it changes without notice.
export { readStates } from "./read-states.ts";
