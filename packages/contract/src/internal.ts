// For Haft's own packages. Unsupported: it changes without notice.
export { findDefinitionFault } from "./define-tool.ts";
export { isErrorCode } from "./error-codes.ts";
export { isSameBytes, splitBytes } from "./lines/byte-lines.ts";
export { diffLines, type LineRun } from "./lines/diff-lines.ts";
export { findHunks } from "./lines/find-hunks.ts";
export { compareTexts, formatDiff, type TextDiff } from "./lines/format-diff.ts";
export { joinBytes } from "./lines/join-bytes.ts";
export { mergeLines } from "./lines/merge-lines.ts";
export { type Splice, spliceText } from "./lines/splice-text.ts";
export {
  contentEnd,
  countBreaks,
  lineEnd,
  lineNumber,
  lineStart,
  splitLines,
} from "./lines/text-lines.ts";
export type { ModuleToolError, ModuleToolResult } from "./module-tool.ts";
export {
  fromModuleToolResult,
  isModuleToolResult,
  toModuleToolResult,
} from "./module-tool-result.ts";
export {
  intersectGrants,
  literalDirectory,
  uniteGrants,
} from "./requirements/compile-requirements.ts";
export { expandBraces } from "./requirements/expand-braces.ts";
export { expandVariables } from "./requirements/expand-variables.ts";
export {
  compileGlob,
  countLiterals,
  escapeGlob,
  type PathMatcher,
} from "./requirements/glob-pattern.ts";
export { countFitting, type TextLimit } from "./text-limit.ts";
export { createTimeSlice, enterTimeSlice, isTimeSliceSpent } from "./time-slice.ts";
export { withoutRemedy } from "./tool-error.ts";
export { utf8Head, utf8Length, utf8Tail } from "./utf8.ts";
export { clipText, isInside, isPlainObject, toErrorMessage } from "./values.ts";
