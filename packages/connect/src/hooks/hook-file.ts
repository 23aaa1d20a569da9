/** The agents whose hook files can be run. */
export type HookFormatName = "claude" | "codex" | "gemini";

/** What happens when hooks run, whatever their agent calls it. */
export type HookMoment =
  | "before"
  | "after"
  | "failure"
  | "permission"
  | "prompt"
  | "start"
  | "end"
  | "stop"
  | "subagent-stop"
  | "notification";

/** A command to run. */
export interface HookHandler {
  /** A command line for a shell, or a program if there are `args`. */
  readonly command: string;
  readonly args: readonly string[] | undefined;
  /** Its name, else its command. */
  readonly label: string;
  readonly timeoutMs: number;
  /** Whether nothing waits for it. Then it decides nothing. */
  readonly isAsync: boolean;
  /** Whether a call is refused if the hook fails. */
  readonly blocksOnFailure: boolean;
  /** A permission rule of Claude Code that a call must match, such as `Bash(git *)`. */
  readonly condition: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/** Commands that run for the same tools. */
export interface HookGroup {
  /** Default: everything. */
  readonly matcher: string | undefined;
  readonly isSequential: boolean;
  readonly handlers: readonly HookHandler[];
}

/** The hooks of a file. */
export interface HookFile {
  readonly path: string;
  readonly format: HookFormatName;
  readonly groups: Readonly<Partial<Record<HookMoment, readonly HookGroup[]>>>;
  /** Parts of the file that are not run. */
  readonly ignored: readonly string[];
}

/** What the hooks of an agent are called and when they time out. */
export interface HookDialect {
  readonly title: string;
  /** The supported events by name. */
  readonly events: Readonly<Record<string, HookMoment>>;
  /** Further events that the agent has, to recognise its files. */
  readonly otherEvents: readonly string[];
  readonly unitMs: number;
  /** The longest time that the end of a session waits for a hook. */
  readonly maxEndMs: number;
  defaultTimeoutMs(moment: HookMoment): number;
}

const claudeEvents: Readonly<Record<string, HookMoment>> = {
  PreToolUse: "before",
  PostToolUse: "after",
  PostToolUseFailure: "failure",
  PermissionRequest: "permission",
  UserPromptSubmit: "prompt",
  SessionStart: "start",
  SessionEnd: "end",
  Stop: "stop",
  SubagentStop: "subagent-stop",
  Notification: "notification",
};

const { PostToolUseFailure: _, Notification: __, ...codexEvents } = claudeEvents;

/** The agents' names for events, and their time limits. */
export const hookDialects: Readonly<Record<HookFormatName, HookDialect>> = {
  claude: {
    title: "Claude Code",
    events: claudeEvents,
    otherEvents: [],
    unitMs: 1000,
    maxEndMs: 60_000,
    defaultTimeoutMs: (moment) =>
      moment === "end" ? 1_500 : moment === "prompt" ? 30_000 : 600_000,
  },
  codex: {
    title: "Codex",
    events: codexEvents,
    otherEvents: [],
    unitMs: 1000,
    maxEndMs: 3_000,
    defaultTimeoutMs: (moment) => (moment === "end" ? 1_000 : 600_000),
  },
  gemini: {
    title: "Gemini CLI",
    events: {
      BeforeTool: "before",
      AfterTool: "after",
      BeforeAgent: "prompt",
      AfterAgent: "stop",
      SessionStart: "start",
      SessionEnd: "end",
      Notification: "notification",
    },
    otherEvents: ["BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress"],
    unitMs: 1,
    maxEndMs: 5_000,
    defaultTimeoutMs: () => 60_000,
  },
};

/** Returns an agent's name for an event. */
export function nameEvent(format: HookFormatName, moment: HookMoment): string {
  const { events } = hookDialects[format];
  return Object.keys(events).find((name) => events[name] === moment) ?? moment;
}
