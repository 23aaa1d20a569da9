import { Problem } from "../problem.ts";

/** Why a database failed. */
export type StoreFailureReason =
  | "full"
  | "read-only"
  | "unreachable"
  | "locked"
  | "refused"
  | "damaged"
  | "failed";

/** A failure of the database itself, whatever the query. Callers get 503. */
export class StoreFailure extends Problem {
  readonly reason: StoreFailureReason;

  constructor(reason: StoreFailureReason, cause?: unknown) {
    super(503, sentences[reason], { "retry-after": String(retryAfterSeconds) });
    this.name = "StoreFailure";
    this.reason = reason;
    this.cause = cause;
  }
}

const retryAfterSeconds = 5;

// For callers, so without paths and addresses. The log has the database's own message.
const sentences: Readonly<Record<StoreFailureReason, string>> = {
  full: "The server's disk is full: its database takes no writes. Its operator has to free disk space; the server then continues by itself.",
  "read-only":
    "The server's database is read-only. Its operator has to make it writable; the server then continues by itself.",
  unreachable:
    "The server's database can't be reached. Its operator has to start it or restore the connection; the server then continues by itself.",
  locked:
    "Another process keeps the server's database locked. Its operator has to end that process or its transaction; the server then continues by itself.",
  refused:
    "The server's database refuses the server's access. Its operator has to restore the account, the database and its permissions; the server then continues by itself.",
  damaged:
    "The server's database is damaged. Its operator has to check it (PRAGMA integrity_check, or amcheck of PostgreSQL) and restore a backup.",
  failed:
    "The server's database failed. Its operator finds the reason in the server's log; the server continues by itself once the database works.",
};

/** Returns the failure behind an error, or `undefined` if the error is about the query or its data. */
export function findStoreFailure(error: unknown): StoreFailure | undefined {
  if (error instanceof StoreFailure) return error;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  const reason =
    typeof errcode === "number"
      ? sqliteReasons[errcode % 256]
      : (findByCode(code) ?? findByMessage((error as Error | undefined)?.message));
  return reason === undefined ? undefined : new StoreFailure(reason, error);
}

/** Returns whether a database rejected the data, rather than being unable to write. */
export function isDataError(error: unknown): boolean {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  // Constraint and type errors: 19 and 20 in SQLite, classes 22 and 23 in PostgreSQL.
  if (typeof errcode === "number") return [19, 20].includes(errcode % 256);
  return typeof code === "string" && /^2[23]/u.test(code);
}

/** By SQLite's primary result codes. */
const sqliteReasons: Readonly<Record<number, StoreFailureReason>> = {
  3: "refused",
  5: "locked",
  6: "locked",
  7: "failed",
  8: "read-only",
  10: "failed",
  11: "damaged",
  13: "full",
  14: "refused",
  15: "locked",
  23: "refused",
  26: "damaged",
};

/** By SQLSTATE, the most specific first, and by system error code. */
const codeReasons: readonly (readonly [pattern: RegExp, reason: StoreFailureReason])[] = [
  [/^53100$/u, "full"],
  [/^25006$/u, "read-only"],
  [/^55P03$/u, "locked"],
  [/^57014$/u, "locked"],
  [/^(?:28|3D|42501|3F)/u, "refused"],
  [/^XX00[12]$/u, "damaged"],
  // A number in a SQLite row that no column can hold.
  [/^ERR_OUT_OF_RANGE$/u, "damaged"],
  [/^(?:08|53300|57P)/u, "unreachable"],
  [/^(?:53|57|58|XX)/u, "failed"],
  [/^E(?:CONN\w+|TIMEDOUT|NOTFOUND|AI_\w+|PIPE|HOST\w+|NET\w+|NOENT|ACCES)$/u, "unreachable"],
];

function findByCode(code: unknown): StoreFailureReason | undefined {
  if (typeof code !== "string") return undefined;
  return codeReasons.find(([pattern]) => pattern.test(code))?.[1];
}

// Errors of the PostgreSQL client itself have no code.
function findByMessage(message: string | undefined): StoreFailureReason | undefined {
  return message !== undefined &&
    /^(?:Connection terminated|timeout exceeded when|Query read timeout|Client has encountered a connection|Client was closed|read E|write E)/u.test(
      message,
    )
    ? "unreachable"
    : undefined;
}
