import { type HookFormatName, type HookMoment, nameEvent } from "./hook-file.ts";

/** What hooks are told about the session at any event. */
export interface HookSession {
  /** A UUID, because hooks name files after it. */
  readonly uuid: string;
  /** The first directory of the workspace. */
  readonly root: string;
  /** The last model that was asked, if any. */
  readonly model: string;
  /** ID of the turn, or empty if there is none. */
  readonly turn: string;
  /** The subagent that makes the call, if it is one. */
  readonly agent?: { readonly id: string; readonly type: string } | undefined;
}

/** Returns the JSON that a hook gets on its standard input. */
export function toHookInput(
  moment: HookMoment,
  { format, session, fields }: HookInputParts,
): string {
  const { uuid, root, model, turn, agent } = session;
  const event = nameEvent(format, moment);
  const base = { session_id: uuid, cwd: root, hook_event_name: event };
  // Haft keeps conversations in a database, so there is no transcript file.
  switch (format) {
    case "claude":
      return JSON.stringify({
        ...base,
        transcript_path: "",
        ...(turn !== "" && { prompt_id: turn }),
        ...(!isOfSession(moment) && { permission_mode: "default" }),
        ...(agent && { agent_id: agent.id, agent_type: agent.type }),
        ...fields,
      });
    case "codex":
      return JSON.stringify({
        ...base,
        transcript_path: null,
        ...(moment !== "end" && { model, permission_mode: "default" }),
        ...(!isOfSession(moment) && { turn_id: turn }),
        ...(agent && { agent_id: agent.id, agent_type: agent.type }),
        ...fields,
      });
    case "gemini":
      return JSON.stringify({
        ...base,
        transcript_path: "",
        timestamp: new Date().toISOString(),
        ...fields,
      });
  }
}

interface HookInputParts {
  readonly format: HookFormatName;
  readonly session: HookSession;
  /** The fields of the event. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns the environment variables that an agent sets for its hooks. */
export function toHookVariables(
  { uuid, root }: HookSession,
  { format, path }: { readonly format: HookFormatName; readonly path: string },
): Readonly<Record<string, string>> {
  // The hooks of a plugin are in its `hooks/hooks.json`.
  const [, plugin] = /^(.*)[\\/]hooks[\\/]hooks\.json$/u.exec(path) ?? [];
  const ofPlugin = plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: plugin, PLUGIN_ROOT: plugin };
  switch (format) {
    case "claude":
      return {
        CLAUDE_PROJECT_DIR: root,
        CLAUDE_CODE_SESSION_ID: uuid,
        CLAUDECODE: "1",
        ...ofPlugin,
      };
    case "codex":
      return ofPlugin;
    case "gemini":
      return {
        GEMINI_PROJECT_DIR: root,
        GEMINI_CWD: root,
        GEMINI_SESSION_ID: uuid,
        CLAUDE_PROJECT_DIR: root,
      };
  }
}

function isOfSession(moment: HookMoment): boolean {
  return moment === "start" || moment === "end";
}
