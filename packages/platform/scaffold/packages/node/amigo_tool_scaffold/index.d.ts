/** How a tool is invoked: for real, or as a simulation without side effects. */
export type InvocationMode = "regular" | "conversation-simulation";

/** Metadata of an invocation. */
export interface ToolMetadata {
  readonly invocationMode: InvocationMode;
  /** Such as `1.2.3`. */
  readonly toolVersion: string;
  readonly invocationId: string;
}

/** The variables of the user. Printing this object never shows a sensitive value. */
export interface UserVariables {
  /** A variable's value, sensitive or not; `undefined` if there is none. */
  get(name: string): string | undefined;
  has(name: string): boolean;
  /** The names of all variables. */
  keys(): string[];
}

/** The argument of `runTool`. */
export interface ToolCall<Input = Record<string, unknown>> {
  /** The input. It matches the tool's input schema. */
  readonly toolInput: Input;
  readonly metadata: ToolMetadata;
  /** The tool's own variables, plain and secret, by name. */
  readonly config: Readonly<Record<string, string>>;
  /** The conversation that the tool is called in, `null` if it is called directly. */
  readonly conversation: Readonly<Record<string, unknown>> | null;
  /** Sends a progress event to the caller. */
  readonly sendStatusEvent: (event: string | Readonly<Record<string, unknown>>) => void;
  readonly userVariables: UserVariables;
}

/** Options of a test call. Missing ones get defaults. */
export interface TestCallOptions<Input> {
  readonly toolInput: Input;
  readonly metadata?: Partial<ToolMetadata>;
  readonly config?: Readonly<Record<string, string>>;
  readonly conversation?: Readonly<Record<string, unknown>> | null;
  readonly userVariables?: Readonly<Record<string, string>>;
  readonly sensitiveUserVariables?: Readonly<Record<string, string>>;
}

/** A call for testing a tool. */
export interface TestCall<Input> extends ToolCall<Input> {
  /** The status events that the tool has sent. */
  readonly statusEvents: readonly (string | Readonly<Record<string, unknown>>)[];
}

/** Creates a call for testing a tool. */
export function createTestCall<Input>(options: TestCallOptions<Input>): TestCall<Input>;

/** Creates the variables of a user. */
export function createUserVariables(
  plain?: Readonly<Record<string, string>>,
  sensitive?: Readonly<Record<string, string>>,
): UserVariables;
