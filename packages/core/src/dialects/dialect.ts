import type {
  JsonValue,
  ObjectSchema,
  OutputLimit,
  PrepareEnvironment,
  ToolError,
} from "@haft/contract";
import type { Rule } from "../rules/rule.ts";

/** How a call went, for the text that tells of it. */
export interface ResultEnvironment extends PrepareEnvironment {
  /** The arguments in the alias's own terms, as the model gave them. */
  readonly given: Readonly<Record<string, unknown>>;
  /** How long the tool took. */
  readonly durationMs: number;
  /** The file that keeps what did not fit into the data, where the tool has made one. */
  readonly outputPath: string | undefined;
}

/** How one native tool appears to a model that was trained on other names. */
export interface DialectAlias {
  readonly name: string;
  /** The native id. */
  readonly tool: string;
  /** The tool's own alias that this name stands for; the one of the same name unless said. */
  readonly like?: string;
  readonly description?: string;
  /** The alias's own parameters; those of the tool's alias, else the tool's, if absent. */
  readonly parameters?: ObjectSchema;
  readonly maxOutput?: OutputLimit;
  /** What the tool gets as `runtime.settings`. */
  readonly settings?: Readonly<Record<string, JsonValue>>;
  /** Understood when called but not shown: a legacy name. */
  readonly hidden?: boolean;
  /** Whether arguments are meant for it, where its name stands for several tools or ways; all unless said. */
  suits?(args: Readonly<Record<string, unknown>>): boolean;
  /** From arguments that fit `parameters` to the tool's own. */
  toArguments?(args: Readonly<Record<string, unknown>>): unknown;
  /** From the tool's data to what this model family expects. */
  toData?(data: unknown, args: unknown, environment: ResultEnvironment): unknown;
  /** The sentence that this model family expects for an error. */
  toErrorText?(error: ToolError, args: unknown): string;
}

/**
 * A named set of aliases, limits and result texts. The model sees its names and schemas only;
 * rules, events and records keep the native ids.
 */
export interface Dialect {
  readonly name: string;
  readonly aliases: readonly DialectAlias[];
  /** Whether built-in tools without an alias here are shown under their native names. */
  readonly native: "shown" | "hidden";
  /** Default rules beside those that always hold. */
  readonly rules?: readonly Rule[];
  /** What is shown instead of data that is too long; `undefined` if it is not. */
  truncate?(data: JsonValue): string | undefined;
}
