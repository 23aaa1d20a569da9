export { stockRegistry, type ToolSupply, type Warn } from "./tool-supply.ts";
