import {
  type HookFile,
  type HookMoment,
  hookDialects,
  nameEvent,
} from "@haft/connect/internal/hooks";

/** One command of a hook file, for people and scripts. */
export interface HookLine {
  readonly event: string;
  /** Null for every tool. */
  readonly matcher: string | null;
  readonly command: string;
  readonly timeout_ms: number;
}

/** Returns the commands of a hook file. */
export function listHookLines({ groups, format }: HookFile): readonly HookLine[] {
  return Object.entries(groups).flatMap(([moment, list]) =>
    list.flatMap(({ matcher, handlers }) =>
      handlers.map(({ command, args = [], timeoutMs }) => ({
        event: nameEvent(format, moment as HookMoment),
        matcher: matcher || null,
        command: [command, ...args].join(" "),
        timeout_ms: timeoutMs,
      })),
    ),
  );
}

/** Formats a hook file for people. */
export function formatHookFile(file: HookFile, scope: string): readonly string[] {
  return [
    `${file.path} (${hookDialects[file.format].title}, ${scope}):`,
    ...listHookLines(file).map(
      ({ event, matcher, command }) =>
        `  ${event}${matcher === null ? "" : ` ${matcher}`}: ${command}`,
    ),
    ...file.ignored.map((one) => `  not run: ${one}`),
  ];
}
