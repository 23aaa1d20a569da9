import type {
  JsonValue,
  ObjectSchema,
  OutputLimit,
  PrepareEnvironment,
  ToolError,
} from "@haft/contract";
import type { Rule } from "../rules/rule.ts";

/** Facts about a call, for the text of its result. */
export interface ResultEnvironment extends PrepareEnvironment {
  /** The arguments as the model sent them, in the alias's terms. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Duration of the tool in milliseconds. */
  readonly durationMs: number;
  /** The sidecar with the whole output, if the tool wrote one. */
  readonly outputPath: string | undefined;
}

/** How a model may call a tool with plain text instead of JSON. */
export interface Freeform {
  /** The parameter that gets the text. */
  readonly parameter: string;
  /** A grammar of the text, in the syntax of Lark. */
  readonly grammar: string;
}

/** A native tool under the name and format that a model family was trained on. */
export interface DialectAlias {
  readonly name: string;
  /** The native tool ID. */
  readonly tool: string;
  /** Name of the tool's own alias to complete this one with. Default: the same name. */
  readonly like?: string;
  readonly description?: string;
  /** Default: the parameters of the tool's alias, otherwise the tool's. */
  readonly parameters?: ObjectSchema;
  readonly maxOutput?: OutputLimit;
  /** Set if the model may write plain text instead of JSON, where its provider allows it. */
  readonly freeform?: Freeform;
  /** What differs for the calls of a program. */
  readonly inProgram?: Pick<DialectAlias, "settings" | "toData">;
  /** Passed to the tool as `runtime.settings`. */
  readonly settings?: Readonly<Record<string, JsonValue>>;
  /** A legacy name: accepted in calls but not shown. */
  readonly hidden?: boolean;
  /** How texts refer to the tool, if not by this name in backticks. A hidden alias with it counts as known. */
  readonly mention?: string;
  /** Whether it covers only a part of the tool, which a mode that names the tool then shows as well. */
  readonly isPartial?: boolean;
  /** Tells whether arguments are meant for this alias, if several aliases share the name. Default: always. */
  suits?(args: Readonly<Record<string, unknown>>): boolean;
  /** Converts arguments that fit `parameters` to the tool's own. */
  toArguments?(args: Readonly<Record<string, unknown>>): unknown;
  /** Field of the tool's data with a remark that `toData` leaves out. It becomes a note of the result. */
  readonly remark?: string;
  /** Converts the tool's data to what this model family expects. */
  toData?(data: unknown, args: unknown, environment: ResultEnvironment): unknown;
  /** Returns the error text that this model family expects. */
  toErrorText?(error: ToolError, args: unknown): string;
}

/**
 * A named set of aliases, limits and result texts. The model sees only the dialect's names and
 * schemas; rules, events and records use the native IDs.
 */
export interface Dialect {
  readonly name: string;
  readonly aliases: readonly DialectAlias[];
  /** Whether built-in tools without an alias are shown under their native names. */
  readonly native: "shown" | "hidden";
  /** Additional default rules. */
  readonly rules?: readonly Rule[];
  /** Returns a shortened text for data of a tool that is too long, or `undefined`. */
  truncate?(data: JsonValue, tool: string): string | undefined;
}
