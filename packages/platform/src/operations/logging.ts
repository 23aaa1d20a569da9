import { fastify } from "fastify";

/** Writes what happened, one line of JSON each. Fields never hold a secret, a body or a header. */
export interface Log {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** How much is written: what is worth a warning and worse, or also every request. */
export type LogLevel = "error" | "warn" | "info";

/** Makes a log on a stream, such as standard error. */
export function createLog(options: {
  readonly level: LogLevel;
  readonly stream: { write(line: string): void };
}): Log {
  // The logger that the server's library brings along; nothing else of this instance is used.
  return fastify({
    logger: {
      level: options.level,
      stream: options.stream,
      // Neither the machine's name nor the process: who runs it knows both.
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
  }).log;
}

/** What a log may say about an error: not its other members, for they can hold what was sent. */
export function toErrorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code } = error as { readonly code?: unknown };
  return {
    error: error.name,
    code: typeof code === "string" ? code : undefined,
    stack: error.stack,
  };
}
