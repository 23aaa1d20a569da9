import { fastify } from "fastify";

/** A log of JSON lines. Fields must not hold secrets, bodies or headers. */
export interface Log {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The least severe level that is written. `info` includes every request. */
export type LogLevel = "error" | "warn" | "info";

/** Creates a log that writes to a stream, such as standard error. */
export function createLog(options: {
  readonly level: LogLevel;
  readonly stream: { write(line: string): void };
}): Log {
  // Fastify comes with this logger. Nothing else of the instance is used.
  return fastify({
    logger: {
      level: options.level,
      stream: options.stream,
      // Leave out host name and process id: the operator knows both.
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
  }).log;
}

/** Returns the fields to log about an error. Its other members may hold request data. */
export function toErrorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code } = error as { readonly code?: unknown };
  return {
    error: error.name,
    code: typeof code === "string" ? code : undefined,
    stack: error.stack,
  };
}
