/**
 * What a caller is told when something can't be done: a status of HTTP and a sentence that says what
 * to do. Anything else that is thrown is a fault of ours.
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

/** One thing that is wrong with a request, as the wire names it. */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
}

/** A request whose shape is wrong: 422 with every field that is. */
export class InvalidRequest extends Problem {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(422, errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
    this.name = "InvalidRequest";
    this.errors = errors;
  }
}
