/** Settings of an operator. `defaultSettings` has the defaults. */
export interface PlatformSettings {
  /** Maximum requests per minute, per key and route. */
  readonly requestsPerMinute: number;
  readonly maxBodyBytes: number;
  /** Lifetime of a sign-in token. */
  readonly tokenSeconds: number;
  /** How long the name of a deleted variable can't be reused. */
  readonly deletedVariableMs: number;
  /** Maximum active versions of a tool; `undefined` for no limit. */
  readonly maxActiveVersions: number | undefined;
  /** How long invocations are kept; `undefined` for no limit. */
  readonly historyDays: number | undefined;
  /** How long a response is repeated for the same `Idempotency-Key`. */
  readonly idempotencyHours: number;
  /** Whether tools may reach private addresses that their `tool.json` declares. */
  readonly privateHosts: "declared" | "never";
  /** Maximum size of a push, of a project's files and of an artifact. */
  readonly maxPushBytes: number;
  readonly maxProjectBytes: number;
  readonly maxArtifactBytes: number;
  /** The platform's address for people, such as `https://tools.example.com`. Default: its own. */
  readonly publicUrl: string | undefined;
  readonly runner: RunnerSettings;
  readonly async: AsyncSettings;
  readonly webhooks: WebhookSettings;
}

/** Settings for webhooks. */
export interface WebhookSettings {
  /** `HOST` or `HOST:PORT` that webhooks may reach on private addresses and without TLS. */
  readonly allowedHosts: readonly string[];
  /** How long a receiver may take to respond. */
  readonly timeoutMs: number;
  /** A webhook is disabled when this many deliveries in a row were given up. */
  readonly maxFailures: number;
  /** Maximum number of webhooks of an organization. */
  readonly maxWebhooks: number;
}

/** Settings for asynchronous invocations. */
export interface AsyncSettings {
  /** Maximum time that an invocation runs, in all its runs together. Waiting does not count. */
  readonly maxActiveMs: number;
  /** Maximum age of an invocation, and so of each of its waits. */
  readonly maxWaitDays: number;
  /** Maximum number of calls of `step`, `sleep` and `ask` of an invocation. */
  readonly maxSteps: number;
  /** Maximum size of the result of a step, and of all results of an invocation, as JSON. */
  readonly maxResultCharacters: number;
  readonly maxJournalCharacters: number;
  /** Maximum number of unfinished invocations of an organization. */
  readonly maxUnfinished: number;
  /** How long the state and the events of an invocation are kept after it has ended. */
  readonly keptHours: number;
}

/** Settings for running tools. */
export interface RunnerSettings {
  /** Number of sandboxes kept ready without a tool. */
  readonly blankWorkers: number;
  /** Maximum number of sandboxes at a time. */
  readonly maxWorkers: number;
  /** A sandbox ends when it exceeds one of these: calls, age, idle time or memory. */
  readonly maxCalls: number;
  readonly maxAgeMs: number;
  readonly maxIdleMs: number;
  readonly maxResidentMb: number;
  /** Defaults for tools whose `tool.json` has no limits. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Upper bounds for the limits in `tool.json`. */
  readonly maxTimeoutMs: number;
  readonly maxMemoryMb: number;
}

/** The default settings. */
export const defaultSettings: PlatformSettings = {
  requestsPerMinute: 6_000,
  maxBodyBytes: 16 * 1024 * 1024,
  tokenSeconds: 3_600,
  deletedVariableMs: 60_000,
  maxActiveVersions: undefined,
  historyDays: undefined,
  idempotencyHours: 24,
  privateHosts: "declared",
  publicUrl: undefined,
  maxPushBytes: 100 * 1024 * 1024,
  maxProjectBytes: 20 * 1024 * 1024,
  maxArtifactBytes: 20 * 1024 * 1024,
  runner: {
    blankWorkers: 2,
    maxWorkers: 32,
    maxCalls: 100_000,
    maxAgeMs: 3_600_000,
    maxIdleMs: 60_000,
    maxResidentMb: 256,
    timeoutMs: 30_000,
    memoryMb: 128,
    maxTimeoutMs: 900_000,
    maxMemoryMb: 2_048,
  },
  async: {
    maxActiveMs: 600_000,
    maxWaitDays: 30,
    maxSteps: 1_000,
    maxResultCharacters: 256 * 1024,
    maxJournalCharacters: 4 * 1024 * 1024,
    maxUnfinished: 10_000,
    keptHours: 24,
  },
  webhooks: { allowedHosts: [], timeoutMs: 15_000, maxFailures: 5, maxWebhooks: 100 },
};
