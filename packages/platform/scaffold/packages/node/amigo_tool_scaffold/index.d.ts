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
  /**
   * Does work once: its result is recorded, and an invocation that continues gets it from there. The
   * result is JSON. If the server dies while the work runs, it throws `StepInterrupted` and does not
   * repeat the work, unless it is `repeatable`. Steps can't be nested.
   */
  readonly step: <Result>(
    name: string,
    work: () => Result | Promise<Result>,
    options?: { readonly repeatable?: boolean },
  ) => Promise<Result>;
  /**
   * Waits for a duration such as `"90s"`, `"2h"` or `"3d"`, or a number of milliseconds. The tool
   * holds no process meanwhile: when it continues, its code runs again from the start, with the
   * recorded results of its steps. Only asynchronous invocations can sleep for more than 5 seconds.
   */
  readonly sleep: (duration: string | number) => Promise<void>;
  /**
   * Asks a person in the inbox and waits for the answer, as `sleep` does. Throws `AskTimeout` after
   * the deadline. Only asynchronous invocations can ask.
   */
  readonly ask: <Answer = unknown>(question: Question) => Promise<Answer>;
}

/** A question to a person. */
export interface Question {
  readonly question: string;
  /** The JSON Schema of the answer. Default: any JSON. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Such as `"2d"`. Default: as long as the platform lets an invocation wait. */
  readonly deadline?: string | number;
  /** IDs of users and names of roles who may answer. Default: everyone with the permission. */
  readonly answerers?: readonly string[];
}

/** Options of a test call. Missing ones get defaults. */
export interface TestCallOptions<Input> {
  readonly toolInput: Input;
  readonly metadata?: Partial<ToolMetadata>;
  readonly config?: Readonly<Record<string, string>>;
  readonly conversation?: Readonly<Record<string, unknown>> | null;
  readonly userVariables?: Readonly<Record<string, string>>;
  readonly sensitiveUserVariables?: Readonly<Record<string, string>>;
  /** Answers to the tool's questions, in order. An error is thrown by `ask`. */
  readonly answers?: readonly unknown[];
}

/** A call for testing a tool. */
export interface TestCall<Input> extends ToolCall<Input> {
  /** The status events that the tool has sent. */
  readonly statusEvents: readonly (string | Readonly<Record<string, unknown>>)[];
  /** The questions that the tool has asked. */
  readonly questions: readonly Question[];
}

/** Creates a call for testing a tool. */
export function createTestCall<Input>(options: TestCallOptions<Input>): TestCall<Input>;

/** Creates the variables of a user. */
export function createUserVariables(
  plain?: Readonly<Record<string, string>>,
  sensitive?: Readonly<Record<string, string>>,
): UserVariables;
