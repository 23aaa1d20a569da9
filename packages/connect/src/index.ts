export { locateMcpStore } from "./mcp-client/store/locate-mcp-store.ts";
export { stockRegistry, type ToolSupply, type Warn } from "./tool-supply.ts";
export {
  findToolboxDirectories,
  type ToolboxPlace,
} from "./toolbox/find-toolbox-directories.ts";
