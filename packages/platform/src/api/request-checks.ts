import type { JsonSchema } from "@haft/contract";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { type FieldError, InvalidRequest } from "../problem.ts";
import { toFieldErrors } from "./field-errors.ts";
import type { RouteSchema } from "./route.ts";

/** The parts of a request that a schema checks. */
export interface SentRequest {
  /** As sent, with escapes. */
  readonly url: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** Checks a request and fills in defaults. Throws an `InvalidRequest`. */
export type RequestCheck = (request: SentRequest) => void;

interface CheckedValue {
  readonly location: FieldError["loc"][0];
  readonly read: (request: SentRequest) => unknown;
  /** Returns a check that stops at the first error. */
  readonly first: () => ValidateFunction;
  /** Returns a check that finds all errors. */
  readonly all: () => ValidateFunction;
}

const common = {
  // Unknown keywords are descriptions and are not checked.
  strict: false,
  strictNumbers: true,
  useDefaults: true,
  // `constructor` is absent unless it was sent.
  ownProperties: true,
  // Several routes may share a schema.
  addUsedSchema: false,
  // `requireSchema` did that.
  validateSchema: false,
} as const;

// For larger bodies only the first error is reported: the list could be as long as the body.
const maxBytesForAll = 64 * 1024;

/** Creates a function that compiles the schema of a route to a check of its requests. */
export function createRequestChecks(): (schema: RouteSchema) => RequestCheck {
  // Bodies have types. Query strings and paths are text, which is coerced.
  const literal = createCompiler({});
  const compileText = createCompiler({ coerceTypes: "array" });
  const textual = (schema: JsonSchema): ReturnType<typeof compileText> =>
    compileText(withoutNull(schema));

  return ({ params, querystring, headers, body }) => {
    const parts: CheckedValue[] = [];
    if (params !== undefined)
      parts.push({ location: "path", read: (sent) => sent.params, ...textual(params) });
    if (querystring !== undefined)
      parts.push({ location: "query", read: (sent) => sent.query, ...textual(querystring) });
    if (headers !== undefined)
      parts.push({ location: "header", read: (sent) => sent.headers, ...literal(headers) });
    const content = body === undefined ? undefined : literal(body);
    if (content !== undefined)
      parts.push({ location: "body", read: (sent) => sent.body, ...content });

    return (request) => {
      refuseZeroBytes(request);
      // A missing body is checked as `null`: a schema that allows it makes the body optional.
      if (content !== undefined && request.body === undefined) request.body = null;
      for (const part of parts) {
        if (!part.first()(part.read(request))) throw new InvalidRequest(findErrors(parts, request));
      }
    };
  };
}

/**
 * Removes `null` from a schema for text. The validator would otherwise coerce text to `null` as a last
 * resort, and so accept `false`.
 */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, oneOf, properties, items } = schema;
  return {
    ...schema,
    ...(Array.isArray(type) ? { type: type.filter((one) => one !== "null") } : {}),
    ...(anyOf === undefined ? {} : { anyOf: alternativesToNull(anyOf) }),
    ...(oneOf === undefined ? {} : { oneOf: alternativesToNull(oneOf) }),
    ...(typeof items === "object" ? { items: withoutNull(items) } : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [name, withoutNull(member)]),
          ),
        }),
  };
}

function alternativesToNull(alternatives: readonly JsonSchema[]): JsonSchema[] {
  return alternatives.filter(({ type }) => type !== "null").map(withoutNull);
}

// A server has two hundred schemas. Each is checked at the start and compiled for the first request that needs it.
function createCompiler(
  options: ConstructorParameters<typeof Ajv2020>[0],
): (schema: JsonSchema) => Pick<CheckedValue, "first" | "all"> {
  const compileFirst = compileLazily({ ...common, ...options });
  const compileAll = compileLazily({ ...common, ...options, allErrors: true });
  return (schema) => {
    requireSchema(schema);
    return { first: compileFirst(schema), all: compileAll(schema) };
  };
}

let schemas: Ajv2020 | undefined;

function requireSchema(schema: JsonSchema): void {
  schemas ??= new Ajv2020({ strict: false });
  void schemas.validateSchema(schema, true);
}

function compileLazily(
  options: ConstructorParameters<typeof Ajv2020>[0],
): (schema: JsonSchema) => () => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    let check: ValidateFunction | undefined;
    return () => {
      ajv ??= createAjv(options);
      check ??= ajv.compile(schema);
      return check;
    };
  };
}

function createAjv(options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 {
  const ajv = new Ajv2020(options);
  ajvFormats.default(ajv);
  return ajv;
}

function findErrors(parts: readonly CheckedValue[], request: SentRequest): FieldError[] {
  const small = Number(request.headers["content-length"] ?? 0) <= maxBytesForAll;
  return parts.flatMap(({ location, read, first, all }) => {
    const value = read(request);
    if (location === "body" && value === null && !first()(value)) {
      return [{ loc: ["body"], msg: "A body is required.", type: "missing" }];
    }
    const judge = small && request.headers["transfer-encoding"] === undefined ? all() : first();
    return judge(value) ? [] : toFieldErrors(location, value, judge.errors as ErrorObject[]);
  });
}

/** No name, id or word contains a zero byte, and PostgreSQL can't store one. */
function refuseZeroBytes({ url, params, query }: SentRequest): void {
  if (!url.includes("%00")) return;
  const errors = [
    ...findZeroBytes("path", params as Record<string, unknown>),
    ...findZeroBytes("query", query as Record<string, unknown>),
  ];
  if (errors.length > 0) throw new InvalidRequest(errors);
}

function findZeroBytes(location: string, values: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.entries(values)
    .filter(([, value]) => [value].flat().some((one) => String(one).includes("\0")))
    .map(([name]) => ({
      loc: [location, name],
      msg: "Expected text without zero bytes.",
      type: "string_pattern_mismatch",
    }));
}
