import type { RunMessage } from "../worker-messages.ts";
import type { RunTool } from "./load-tool.ts";
import { UserVariables } from "./user-variables.ts";

const { stringify } = JSON;

/** Something a tool did that is no exception of its own. */
class BadOutput extends Error {
  constructor(name: "InvalidOutput" | "OutputTooLarge", message: string) {
    super(message);
    this.name = name;
  }
}

/** What a call has beside its message. */
export interface CallPlace {
  readonly runTool: RunTool;
  readonly config: Readonly<Record<string, string>>;
  sendStatusEvent(event: unknown): void;
}

/** Calls a tool and makes its answer into text. Throws what it throws. */
export async function callTool(message: RunMessage, place: CallPlace): Promise<string> {
  const output = await place.runTool({
    toolInput: message.input,
    metadata: Object.freeze({
      invocationMode: message.mode,
      toolVersion: message.toolVersion,
      invocationId: message.invocationId,
    }),
    config: place.config,
    conversation: message.conversation ?? null,
    sendStatusEvent: place.sendStatusEvent,
    userVariables: new UserVariables(message.userVariables, message.sensitiveUserVariables),
  });
  return requireShort(typeof output === "string" ? output : toJson(output));
}

// As `mostOutputCharacters` of the host, which looks again. Each of them may take two.
const mostCharacters = 20_000;

function requireShort(text: string): string {
  if (text.length <= mostCharacters) return text;
  const isLong = text.length > 2 * mostCharacters || Array.from(text).length > mostCharacters;
  if (!isLong) return text;
  throw new BadOutput(
    "OutputTooLarge",
    `The tool's output has more than ${mostCharacters} characters. Return less, such as a summary or one page.`,
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
    `The tool's output can't be written as JSON: ${reason}. Return a string, or what JSON can say.`,
  );
}

function describe(output: unknown): string {
  return output === undefined ? "nothing" : `a ${typeof output}`;
}
