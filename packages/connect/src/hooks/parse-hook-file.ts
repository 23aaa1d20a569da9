import { isPlainObject, toErrorMessage } from "@haft/contract/internal";
import { parseCommentedJson } from "@haft/core/internal";
import {
  type HookFile,
  type HookFormatName,
  type HookGroup,
  type HookHandler,
  type HookMoment,
  hookDialects,
} from "./hook-file.ts";
import { compileMatcher } from "./matcher.ts";

type Fields = Readonly<Record<string, unknown>>;

const maxTimeoutMs = 24 * 60 * 60 * 1000;

/**
 * Reads the hooks of a settings file: JSON, or TOML for Codex. Throws if the file is not understood,
 * because a guard that is left out guards nothing. Events and kinds of hooks that are not supported are
 * listed in `ignored`.
 */
export async function parseHookFile(
  text: string,
  path: string,
  format?: HookFormatName,
): Promise<HookFile> {
  const settings = await parseSettings(text, path);
  const isOff = settings.disableAllHooks === true || isOffInGemini(settings);
  const { hooks = {} } = settings;
  if (!isPlainObject(hooks)) throw fault(path, "hooks is not an object");
  const found = format ?? detectFormat(path, Object.keys(hooks));
  const disabled = new Set(isOff ? [] : disabledInGemini(settings));
  const reader = new Reader(path, found, disabled);
  return {
    path,
    format: found,
    groups: isOff ? {} : reader.readEvents(hooks),
    ignored: isOff ? ["all hooks: the file switches them off"] : reader.ignored,
  };
}

async function parseSettings(text: string, path: string): Promise<Fields> {
  let value: unknown;
  try {
    value = path.endsWith(".toml")
      ? (await import("smol-toml")).parse(text)
      : parseCommentedJson(text);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${toErrorMessage(error)}`);
  }
  if (!isPlainObject(value)) throw fault(path, "it is not an object");
  return value;
}

/** Finds the agent of a file by its directory, else by the events that only one agent has. */
function detectFormat(path: string, events: readonly string[]): HookFormatName {
  const [, directory] = /[\\/]\.(claude|codex|gemini)[\\/]/u.exec(path) ?? [];
  if (directory !== undefined) return directory as HookFormatName;
  if (path.endsWith(".toml")) return "codex";
  const { events: known, otherEvents } = hookDialects.gemini;
  const own = [...Object.keys(known), ...otherEvents].filter(
    (name) => !Object.hasOwn(hookDialects.claude.events, name),
  );
  return events.some((event) => own.includes(event)) ? "gemini" : "claude";
}

function isOffInGemini({ hooksConfig }: Fields): boolean {
  return isPlainObject(hooksConfig) && hooksConfig.enabled === false;
}

function disabledInGemini({ hooksConfig }: Fields): readonly unknown[] {
  const disabled = isPlainObject(hooksConfig) ? hooksConfig.disabled : undefined;
  return Array.isArray(disabled) ? disabled : [];
}

class Reader {
  readonly ignored: string[] = [];
  readonly #path: string;
  readonly #format: HookFormatName;
  readonly #disabled: ReadonlySet<unknown>;

  constructor(path: string, format: HookFormatName, disabled: ReadonlySet<unknown>) {
    this.#path = path;
    this.#format = format;
    this.#disabled = disabled;
  }

  readEvents(hooks: Fields): HookFile["groups"] {
    const { events } = hookDialects[this.#format];
    const groups: Partial<Record<HookMoment, HookGroup[]>> = {};
    for (const [event, list] of Object.entries(hooks)) {
      // The answers about trust that Codex stores beside its hooks.
      if (this.#format === "codex" && event === "state") continue;
      const moment = Object.hasOwn(events, event) ? events[event] : undefined;
      if (moment === undefined) {
        this.ignored.push(`the event ${event}`);
        continue;
      }
      groups[moment] = this.#listAt(list, `hooks.${event}`).map((group, at) =>
        this.#readGroup(group, `hooks.${event}[${at}]`, moment),
      );
    }
    return groups;
  }

  #readGroup(group: unknown, place: string, moment: HookMoment): HookGroup {
    if (!isPlainObject(group)) throw fault(this.#path, `${place} is not an object`);
    const { matcher, sequential } = group;
    if (matcher != null && typeof matcher !== "string") {
      throw fault(this.#path, `${place}.matcher is not a text`);
    }
    try {
      compileMatcher(matcher ?? "", this.#format);
    } catch (error) {
      throw fault(this.#path, `${place}.matcher is invalid: ${toErrorMessage(error)}`);
    }
    return {
      matcher: matcher ?? undefined,
      isSequential: sequential === true,
      handlers: this.#listAt(group.hooks, `${place}.hooks`).flatMap((handler, at) =>
        this.#readHandler(handler, { place: `${place}.hooks[${at}]`, moment }),
      ),
    };
  }

  #readHandler(
    handler: unknown,
    { place, moment }: { readonly place: string; readonly moment: HookMoment },
  ): HookHandler[] {
    if (!isPlainObject(handler)) throw fault(this.#path, `${place} is not an object`);
    const { type, command, args, name, shell, env = {} } = handler;
    if (type !== "command") {
      this.ignored.push(`${place}: hooks of type ${JSON.stringify(type)}`);
      return [];
    }
    if (typeof command !== "string" || command.trim() === "") {
      throw fault(this.#path, `${place}.command is missing`);
    }
    if (shell === "powershell") {
      this.ignored.push(`${place}: a command for PowerShell`);
      return [];
    }
    if (this.#disabled.has(command) || this.#disabled.has(name)) return [];
    const isExec = Array.isArray(args) && args.every((word) => typeof word === "string");
    return [
      {
        command,
        args: isExec ? (args as string[]) : undefined,
        label: typeof name === "string" && name !== "" ? name : command,
        timeoutMs: this.#readTimeout(handler.timeout, place, moment),
        isAsync: handler.async === true || handler.asyncRewake === true,
        blocksOnFailure: handler.onFailure === "block",
        condition: typeof handler.if === "string" ? handler.if : undefined,
        environment: isPlainObject(env)
          ? Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]))
          : {},
      },
    ];
  }

  #readTimeout(timeout: unknown, place: string, moment: HookMoment): number {
    const { unitMs, maxEndMs, defaultTimeoutMs } = hookDialects[this.#format];
    const maxMs = moment === "end" ? maxEndMs : maxTimeoutMs;
    if (timeout == null) return Math.min(defaultTimeoutMs(moment), maxMs);
    if (typeof timeout !== "number" || !(timeout > 0)) {
      throw fault(this.#path, `${place}.timeout is not a positive number`);
    }
    return Math.min(timeout * unitMs, maxMs);
  }

  #listAt(value: unknown, place: string): readonly unknown[] {
    if (!Array.isArray(value)) throw fault(this.#path, `${place} is not a list`);
    return value;
  }
}

function fault(path: string, what: string): Error {
  return new Error(`${path} is not a hook file: ${what}. Fix it, or remove it from your hooks.`);
}
