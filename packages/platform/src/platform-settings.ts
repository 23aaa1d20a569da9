/** What an operator can set; `defaultSettings` has what holds otherwise. */
export interface PlatformSettings {
  /** Requests a minute, per key and route. */
  readonly requestsPerMinute: number;
  readonly mostBodyBytes: number;
  /** How long a sign-in lasts. */
  readonly tokenSeconds: number;
  /** How long a deleted variable's name can't be taken again. */
  readonly deletedVariableMs: number;
  /** Versions of a tool that may be active at a time; `undefined` for any number. */
  readonly mostActiveVersions: number | undefined;
  /** How long invocations are kept; `undefined` for ever. */
  readonly historyDays: number | undefined;
  /** How long an answer is given again for the same `Idempotency-Key`. */
  readonly idempotencyHours: number;
  /** Whether tools may reach private addresses of hosts that they declare by name or address. */
  readonly privateHosts: "declared" | "never";
  /** A push, an artifact, and the files of a project can't be larger. */
  readonly mostPushBytes: number;
  readonly mostProjectBytes: number;
  readonly mostArtifactBytes: number;
  readonly runner: RunnerSettings;
}

/** What an operator can set about running tools. */
export interface RunnerSettings {
  /** Sandboxes kept ready that belong to nobody yet. */
  readonly blankWorkers: number;
  /** Sandboxes at a time. */
  readonly mostWorkers: number;
  /** A sandbox ends after so many calls, so much time, so much time without a call, or this much memory. */
  readonly mostCalls: number;
  readonly mostAgeMs: number;
  readonly mostIdleMs: number;
  readonly mostResidentMb: number;
  /** Where a tool does not say. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** What a tool can ask for. */
  readonly mostTimeoutMs: number;
  readonly mostMemoryMb: number;
}

/** What holds unless an operator says otherwise. */
export const defaultSettings: PlatformSettings = {
  requestsPerMinute: 6_000,
  mostBodyBytes: 16 * 1024 * 1024,
  tokenSeconds: 3_600,
  deletedVariableMs: 60_000,
  mostActiveVersions: undefined,
  historyDays: undefined,
  idempotencyHours: 24,
  privateHosts: "declared",
  mostPushBytes: 100 * 1024 * 1024,
  mostProjectBytes: 20 * 1024 * 1024,
  mostArtifactBytes: 20 * 1024 * 1024,
  runner: {
    blankWorkers: 2,
    mostWorkers: 32,
    mostCalls: 100_000,
    mostAgeMs: 3_600_000,
    mostIdleMs: 60_000,
    mostResidentMb: 256,
    timeoutMs: 30_000,
    memoryMb: 128,
    mostTimeoutMs: 900_000,
    mostMemoryMb: 2_048,
  },
};
