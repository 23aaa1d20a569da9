import type { RunMessage } from "../worker-messages.ts";
import type { DurableCalls } from "./durable-calls.ts";
import type { RunTool } from "./load-tool.ts";
import { UserVariables } from "./user-variables.ts";

const { stringify } = JSON;

/** A fault in a tool's output, not an exception of the tool. */
class BadOutput extends Error {
  constructor(name: "InvalidOutput" | "OutputTooLarge", message: string) {
    super(message);
    this.name = name;
  }
}

/** The context of a call besides its message. */
export interface CallContext {
  readonly runTool: RunTool;
  readonly config: Readonly<Record<string, string>>;
  sendStatusEvent(event: unknown): void;
  readonly durable: DurableCalls;
}

/** Calls a tool and converts its output to text. Throws what the tool throws. */
export async function callTool(message: RunMessage, context: CallContext): Promise<string> {
  const output = await context.runTool({
    toolInput: message.input,
    metadata: Object.freeze({
      invocationMode: message.mode,
      toolVersion: message.toolVersion,
      invocationId: message.invocationId,
    }),
    config: context.config,
    conversation: message.conversation ?? null,
    sendStatusEvent: context.sendStatusEvent,
    ...context.durable,
    userVariables: new UserVariables(message.userVariables, message.sensitiveUserVariables),
  });
  return requireShort(typeof output === "string" ? output : toJson(output));
}

// The same as `maxOutputCharacters`, which the server checks again. A character may take two units.
const maxCharacters = 20_000;

function requireShort(text: string): string {
  if (text.length <= maxCharacters) return text;
  const isLong = text.length > 2 * maxCharacters || Array.from(text).length > maxCharacters;
  if (!isLong) return text;
  throw new BadOutput(
    "OutputTooLarge",
    `The tool's output has more than ${maxCharacters} characters. Return less, such as a summary or one page.`,
  );
}

function toJson(output: unknown): string {
  let text: string | undefined;
  let reason = `it returned ${describe(output)}`;
  try {
    text = stringify(output);
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  if (text !== undefined) return text;
  throw new BadOutput(
    "InvalidOutput",
    `The tool's output can't be written as JSON: ${reason}. Return a string or a JSON value.`,
  );
}

function describe(output: unknown): string {
  return output === undefined ? "nothing" : `a ${typeof output}`;
}
