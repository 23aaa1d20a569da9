// For Haft's own packages. Unsupported: it changes without notice.
export {
  type ImportedHooks,
  listImportedHooks,
  storeImportedHooks,
} from "./hooks/hook-store.ts";
export type { NamedHooks } from "./hooks/load-hooks.ts";
export { locateMcpStore } from "./mcp-client/store/locate-mcp-store.ts";
export {
  type QuestionForm,
  readQuestionAnswers,
  type ToField,
  toQuestionForm,
} from "./question-form.ts";
export { toClientText } from "./result-text/to-client-text.ts";
export { findToolboxDirectories, type ToolboxPaths } from "./toolbox/find-toolbox-directories.ts";
