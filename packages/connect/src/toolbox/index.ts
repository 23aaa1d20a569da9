export { askScript } from "./ask-script.ts";
export type { ToolDescription } from "./description/tool-description.ts";
export {
  chooseToolboxDirectory,
  findToolboxDirectories,
  type ToolboxPlace,
} from "./find-toolbox-directories.ts";
export { examineScript } from "./list-scripts.ts";
export { openToolbox } from "./open-toolbox.ts";
export {
  nameScript,
  readToolbox,
  type ToolboxContent,
  type ToolboxOptions,
} from "./read-toolbox.ts";
export { type DescribedScript, type ToolboxData, toToolboxTool } from "./to-toolbox-tool.ts";
export type { ScriptFault, ToolboxScript } from "./toolbox-script.ts";
