import type { ErrorCode, Isolation, JsonValue, ToolKind } from "@haft/contract";
import type { CommandReading } from "../commands/command-reading.ts";
import type { Subject } from "../rules/subject.ts";
import type { Manifest } from "../session/manifest.ts";

/** A call that the session made before. */
export interface EarlierCall {
  /** Its tool, if the name resolved. */
  readonly tool: string | undefined;
  readonly kind: ToolKind | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** `undefined` if they are too long to be kept. */
  readonly arguments: JsonValue | undefined;
  /** What it touched; nothing is known of a call that an earlier process made. */
  readonly subjects: readonly Subject[];
  readonly failed: boolean;
  readonly errorCode: ErrorCode | undefined;
  /** What confined it, where that is known. */
  readonly isolation: Isolation | undefined;
  /** The same for calls with the same name and arguments; not known of all that succeeded. */
  readonly identity: string | undefined;
}

/** What the watchdog is shown of a call. */
export interface WatchdogCall {
  readonly session: string;
  readonly callId: string;
  readonly tool: string;
  readonly kind: ToolKind;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly arguments: JsonValue;
  readonly manifest: Manifest;
  /** The workspace roots that can be changed; relative paths start at the first. */
  readonly roots: readonly string[];
  readonly home: string | undefined;
  /** What the call touches; commands with what they would do. */
  readonly subjects: readonly Subject[];
  /** What the first command that it runs would do. */
  readonly command: CommandReading | undefined;
  /** What the secrets in its arguments are called. */
  readonly secrets: readonly string[];
  /** The session's last calls, at most fifty, oldest first. */
  readonly earlier: readonly EarlierCall[];
  /** The same for calls with the same name and arguments. */
  readonly identity: string;
  /** Whether a file is of a kind that holds secrets, by its name. */
  isSecret(path: string): boolean;
}

/** What the watchdog says. It can only make things stricter than the rules have. */
export type WatchdogVerdict =
  | { readonly action: "allow" }
  | {
      readonly action: "ask" | "deny";
      readonly reason: string;
      /**
       * What was recognised, in lower case with hyphens. An "always" answer holds for this shape of
       * exactly this call. Default: the reason stands for it.
       */
      readonly shape?: string;
    };

/** The host's own look at every call before it runs. What it throws counts as a deny. */
export type Watchdog = (call: WatchdogCall) => WatchdogVerdict | Promise<WatchdogVerdict>;
