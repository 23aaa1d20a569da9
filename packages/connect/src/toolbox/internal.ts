// For Haft's own packages. Unsupported: it changes without notice.
export { askScript } from "./ask-script.ts";
export type { ToolDescription } from "./description/tool-description.ts";
export {
  chooseToolboxDirectory,
  findToolboxDirectories,
  type ToolboxPaths,
} from "./find-toolbox-directories.ts";
export { examineScript } from "./list-scripts.ts";
export {
  listUntrustedScripts,
  nameScript,
  readToolbox,
  type ToolboxContent,
} from "./read-toolbox.ts";
export { type DescribedScript, type ToolboxData, toToolboxTool } from "./to-toolbox-tool.ts";
export type { ScriptFault, ToolboxScript } from "./toolbox-script.ts";
