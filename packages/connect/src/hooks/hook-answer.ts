import type { RanBeside } from "@haft/computer/internal";
import type { JsonValue } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { HookFormatName, HookMoment } from "./hook-file.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a hook answered, whatever its agent calls it. */
export interface HookAnswer {
  /** Why the call or prompt is refused, the result is questionable, or the agent must go on. */
  readonly block?: string;
  readonly ask?: string;
  /** Input instead of the call's, or fields to change in it. */
  readonly input?: Fields;
  readonly context?: string;
  /** Data instead of the result's. */
  readonly data?: JsonValue;
  /** Why the agent must stop. */
  readonly stop?: string;
  /** Text for the person. */
  readonly message?: string;
  /** Why the hook counts as failed. */
  readonly failure?: string;
}

/** Reads what a hook answered by its exit code and its output, as its agent does. */
export function readAnswer(ran: RanBeside, format: HookFormatName, moment: HookMoment): HookAnswer {
  if (ran.fault !== undefined) return { failure: ran.fault };
  return format === "gemini" ? readGemini(ran) : readClaude(ran, format, moment);
}

const noReason = "it gave no reason";

function readClaude(
  { exitCode, stdout, stderr }: RanBeside,
  format: HookFormatName,
  moment: HookMoment,
): HookAnswer {
  const said = stderr.trim();
  if (exitCode === 2) {
    if (!decides.has(moment)) return { message: said };
    if (said === "" && format === "codex") {
      return { failure: "it exited with 2 but wrote no reason to standard error" };
    }
    return { block: said || noReason };
  }
  if (exitCode !== 0) return { failure: `it exited with ${exitCode}${said && `: ${said}`}` };
  const text = stdout.trim();
  const output = parseObject(text);
  if (output !== undefined) return readOutput(output, format);
  if (format === "codex" && /^[[{]/u.test(text)) return { failure: "its output is not valid JSON" };
  const isContext = moment === "prompt" || moment === "start";
  return isContext && text !== "" ? { context: text } : {};
}

// Where a hook of Claude Code or Codex can block with exit code 2.
const decides: ReadonlySet<HookMoment> = new Set<HookMoment>([
  "before",
  "after",
  "failure",
  "permission",
  "prompt",
  "stop",
  "subagent-stop",
]);

function readOutput(output: Fields, format: HookFormatName): HookAnswer {
  const own = isPlainObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
  const { permissionDecision: decision, permissionDecisionReason: why } = own;
  const request = isPlainObject(own.decision) ? own.decision : {};
  const reason = toText(why) ?? toText(request.message) ?? toText(output.reason);
  const blocks = decision === "deny" || request.behavior === "deny" || output.decision === "block";
  if (blocks && reason === undefined && format === "codex") {
    return { failure: "it blocked without a reason" };
  }
  const asks = decision === "ask" || decision === "defer";
  // Codex changes the input of allowed calls only.
  const mayChange = format === "claude" || decision === "allow";
  const changed = own.updatedToolOutput ?? own.updatedMCPToolOutput;
  return {
    ...common(output),
    ...(blocks ? { block: reason ?? noReason } : asks ? { ask: reason ?? noReason } : {}),
    ...(mayChange && isPlainObject(own.updatedInput) && { input: own.updatedInput }),
    ...(toText(own.additionalContext) !== undefined && {
      context: own.additionalContext as string,
    }),
    ...(changed !== undefined && format === "claude" && { data: changed as JsonValue }),
  };
}

function readGemini({ exitCode, stdout, stderr }: RanBeside): HookAnswer {
  const text = stdout.trim() || stderr.trim();
  const output = parseObject(text);
  if (output === undefined) {
    if (exitCode === 0) return text === "" ? {} : { message: text };
    if (exitCode === 1) return { failure: `it exited with 1${text && `: ${text}`}` };
    return { block: text || `it exited with ${exitCode}` };
  }
  const own = isPlainObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
  const { decision } = output;
  const reason = toText(output.reason) ?? toText(stderr);
  const blocks = decision === "deny" || decision === "block" || exitCode === 2;
  const answer: HookAnswer = {
    ...common(output),
    ...(blocks
      ? { block: reason ?? noReason }
      : decision === "ask"
        ? { ask: reason ?? noReason }
        : {}),
    ...(isPlainObject(own.tool_input) && { input: own.tool_input }),
    ...(toText(own.additionalContext) !== undefined && {
      context: own.additionalContext as string,
    }),
  };
  if (own.tailToolCallRequest === undefined) return answer;
  return {
    ...answer,
    failure: "it requested another call (tailToolCallRequest), which was not made",
  };
}

function common({ continue: goesOn, stopReason, systemMessage }: Fields): HookAnswer {
  const message = toText(systemMessage);
  return {
    ...(goesOn === false && { stop: toText(stopReason) ?? noReason }),
    ...(message !== undefined && { message }),
  };
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function parseObject(text: string): Fields | undefined {
  if (!text.startsWith("{") && !text.startsWith('"')) return undefined;
  try {
    let value: unknown = JSON.parse(text);
    if (typeof value === "string") value = JSON.parse(value);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
