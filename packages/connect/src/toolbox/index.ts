export { type OpenToolboxOptions, openToolbox } from "./open-toolbox.ts";
export type { ToolboxOptions } from "./read-toolbox.ts";
