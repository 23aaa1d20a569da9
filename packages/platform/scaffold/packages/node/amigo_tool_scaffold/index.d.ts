/** How a tool is invoked: for real, or without consequences. */
export type InvocationMode = "regular" | "conversation-simulation";

/** What is known about an invocation. */
export interface ToolMetadata {
  readonly invocationMode: InvocationMode;
  /** Such as `1.2.3`. */
  readonly toolVersion: string;
  readonly invocationId: string;
}

/** What is known about the user. Printing it never shows a sensitive value. */
export interface UserVariables {
  /** A variable's value, sensitive or not; `undefined` if there is none. */
  get(name: string): string | undefined;
  has(name: string): boolean;
  /** The names of all variables. */
  keys(): string[];
}

/** What `runTool` is called with. */
export interface ToolCall<Input = Record<string, unknown>> {
  /** Fits the input schema of the tool. */
  readonly toolInput: Input;
  readonly metadata: ToolMetadata;
  /** The tool's own variables, plain and secret, by name. */
  readonly config: Readonly<Record<string, string>>;
  /** The conversation that the tool is called in, `null` if it is called directly. */
  readonly conversation: Readonly<Record<string, unknown>> | null;
  /** Tells whoever waits how it is going. */
  readonly sendStatusEvent: (event: string | Readonly<Record<string, unknown>>) => void;
  readonly userVariables: UserVariables;
}

/** What a test says about a call; the rest is filled in. */
export interface TestCallOptions<Input> {
  readonly toolInput: Input;
  readonly metadata?: Partial<ToolMetadata>;
  readonly config?: Readonly<Record<string, string>>;
  readonly conversation?: Readonly<Record<string, unknown>> | null;
  readonly userVariables?: Readonly<Record<string, string>>;
  readonly sensitiveUserVariables?: Readonly<Record<string, string>>;
}

/** A call to test a tool with. */
export interface TestCall<Input> extends ToolCall<Input> {
  /** What the tool sent so far. */
  readonly statusEvents: readonly (string | Readonly<Record<string, unknown>>)[];
}

/** Makes a call to test a tool with. */
export function createTestCall<Input>(options: TestCallOptions<Input>): TestCall<Input>;

/** Makes the variables of a user. */
export function createUserVariables(
  plain?: Readonly<Record<string, string>>,
  sensitive?: Readonly<Record<string, string>>,
): UserVariables;
