/**
 * An error for the caller: an HTTP status and a sentence that says what happened and what
 * to do. Every other error is a bug of the platform.
 */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.headers = headers;
  }
}

/** One invalid field of a request, in its wire format. */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
}

/** A malformed request: status 422 with every invalid field. */
export class InvalidRequest extends Problem {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(422, errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
    this.name = "InvalidRequest";
    this.errors = errors;
  }
}
