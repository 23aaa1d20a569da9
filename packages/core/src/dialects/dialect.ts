import type { ErrorCode, ObjectSchema, OutputLimit } from "@haft/contract";

/** How one native tool appears to a model that was trained on other names. */
export interface DialectAlias {
  readonly name: string;
  /** The native id. */
  readonly tool: string;
  readonly description?: string;
  /** The alias's own parameters; the tool's if absent. */
  readonly parameters?: ObjectSchema;
  readonly maxOutput?: OutputLimit;
  /** Understood when called but not shown: a legacy name. */
  readonly hidden?: boolean;
  /** From arguments that fit `parameters` to the tool's own. */
  toArguments?(args: Readonly<Record<string, unknown>>): unknown;
  /** From the tool's data to what this model family expects. */
  toData?(data: unknown, args: unknown): unknown;
  /** From the native error sentence to the one this model family expects. */
  toErrorText?(text: string, code: ErrorCode): string;
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
}
