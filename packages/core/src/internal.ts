// For Haft's own packages. Unsupported: it changes without notice.
export { systemClock } from "./clock.ts";
export { unreadCommand } from "./commands/command-reading.ts";
export { findUngranted } from "./commands/find-ungranted.ts";
export { fromAmpResult, toAmpResult } from "./dialects/amp/amp-result.ts";
export { nativeIds } from "./dialects/native-ids.ts";
export { portable } from "./dialects/portable.ts";
export { toRelative } from "./dialects/shared/search.ts";
export { describeRefusal } from "./hosts/headless-host.ts";
export { toPlainData, toPlainLine, toPlainText } from "./hosts/plain-text.ts";
export { readAnswer, toQuestionText } from "./hosts/question-text.ts";
export {
  describeChange,
  showArguments,
  showChanges,
  toVisibleJson,
  toVisibleLine,
  toVisibleText,
} from "./hosts/visible-text.ts";
export { isNestedDeeper, isTextNestedDeeper, maxJsonDepth } from "./json/is-nested-deeper.ts";
export { CommentedJsonError, parseCommentedJson } from "./json/parse-commented-json.ts";
export { tokensOfDefinition, tokensOfText } from "./output/token-estimate.ts";
export { openToRead } from "./path/open-to-read.ts";
export { untilAborted } from "./path/until-aborted.ts";
export { toCanonicalJson } from "./recorder/canonical-json.ts";
export { recordingVersion } from "./recorder/recorder.ts";
export { nearestNames } from "./registry/nearest-names.ts";
export { writeTool } from "./rules/command-verdict.ts";
export type { RuleBase } from "./rules/compile-rule.ts";
export { compileFileRules, type DeniedFiles } from "./rules/denied-files.ts";
export { joinFileRules } from "./rules/file-rules.ts";
export type { ImportLocation } from "./rules/import/anchor-rule.ts";
export { fromAmpPermissions } from "./rules/import/from-amp-permissions.ts";
export { fromClaudePermissions } from "./rules/import/from-claude-permissions.ts";
export type { ImportedRules, ImportRemark } from "./rules/import/imported-rules.ts";
export { formatRule, isStorable } from "./rules/rule.ts";
export { compileRules } from "./rules/ruleset.ts";
export { compilePattern, type LinearPattern } from "./schema/pattern/compile-pattern.ts";
export {
  type CompiledSchema,
  compileSchema,
  type SchemaMeter,
  type SchemaOptions,
} from "./schema/validator/compile-schema.ts";
export type { SchemaFormat, SchemaFormats } from "./schema/validator/keyword.ts";
export { SchemaEffortError, type SchemaViolation } from "./schema/validator/schema-run.ts";
export { isRandom } from "./secrets/is-random.ts";
export { holdsPlaceholder } from "./secrets/placeholders.ts";
export { createSecrets } from "./secrets/secrets.ts";
