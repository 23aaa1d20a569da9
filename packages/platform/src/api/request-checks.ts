import type { JsonSchema } from "@haft/contract";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { type FieldError, InvalidRequest } from "../problem.ts";
import { toFieldErrors } from "./field-errors.ts";
import type { RouteSchema } from "./route.ts";

/** What a caller sent, as far as a schema can judge it. */
export interface SentRequest {
  /** As it was sent: still with its escapes. */
  readonly url: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** Throws an `InvalidRequest` for what does not fit; fills in defaults. */
export type RequestCheck = (request: SentRequest) => void;

interface Part {
  readonly place: FieldError["loc"][0];
  readonly read: (request: SentRequest) => unknown;
  readonly fits: ValidateFunction;
  /** Finds everything that is wrong, not only the first thing. */
  readonly findAll: () => ValidateFunction;
}

const common = {
  // Keywords of other vocabularies are descriptions, and none of ours to judge.
  strict: false,
  strictNumbers: true,
  useDefaults: true,
  // `constructor` is a name like any other: absent unless it was sent.
  ownProperties: true,
  // The same schema may stand in several routes.
  addUsedSchema: false,
} as const;

// Who sends a lot that is wrong learns of the first thing only: a list as long as the body helps nobody.
const mostBytesForAll = 64 * 1024;

/** Makes what turns the schema of a route into a check of its requests. */
export function createRequestChecks(): (schema: RouteSchema) => RequestCheck {
  // Bodies say what they mean; query strings and paths can only be text.
  const literal = createCompiler({});
  const compileText = createCompiler({ coerceTypes: "array" });
  const textual = (schema: JsonSchema): ReturnType<typeof compileText> =>
    compileText(withoutNull(schema));

  return ({ params, querystring, headers, body }) => {
    const parts: Part[] = [];
    if (params !== undefined)
      parts.push({ place: "path", read: (sent) => sent.params, ...textual(params) });
    if (querystring !== undefined)
      parts.push({ place: "query", read: (sent) => sent.query, ...textual(querystring) });
    if (headers !== undefined)
      parts.push({ place: "header", read: (sent) => sent.headers, ...literal(headers) });
    const content = body === undefined ? undefined : literal(body);
    if (content !== undefined) parts.push({ place: "body", read: (sent) => sent.body, ...content });

    return (request) => {
      refuseZeroBytes(request);
      // Without a body `null` is judged: a schema that allows it makes the body optional.
      if (content !== undefined && request.body === undefined) request.body = null;
      for (const part of parts) {
        if (!part.fits(part.read(request))) throw new InvalidRequest(findErrors(parts, request));
      }
    };
  };
}

/**
 * No text means null. Were it allowed, the validator would try to read it out of a text after
 * everything else, and find it in `false`.
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

function createCompiler(
  options: ConstructorParameters<typeof Ajv2020>[0],
): (schema: JsonSchema) => Pick<Part, "fits" | "findAll"> {
  const first = createAjv({ ...common, ...options });
  let all: Ajv2020 | undefined;
  return (schema) => {
    let findAll: ValidateFunction | undefined;
    return {
      fits: first.compile(schema),
      findAll: () => {
        all ??= createAjv({ ...common, ...options, allErrors: true });
        findAll ??= all.compile(schema);
        return findAll;
      },
    };
  };
}

function createAjv(options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 {
  const ajv = new Ajv2020(options);
  ajvFormats.default(ajv);
  return ajv;
}

function findErrors(parts: readonly Part[], request: SentRequest): FieldError[] {
  const small = Number(request.headers["content-length"] ?? 0) <= mostBytesForAll;
  return parts.flatMap(({ place, read, fits, findAll }) => {
    const value = read(request);
    if (place === "body" && value === null && !fits(value)) {
      return [{ loc: ["body"], msg: "A body is required.", type: "missing" }];
    }
    const judge = small && request.headers["transfer-encoding"] === undefined ? findAll() : fits;
    return judge(value) ? [] : toFieldErrors(place, value, judge.errors as ErrorObject[]);
  });
}

/** No name, id or word has one, and not every database can hold one. */
function refuseZeroBytes({ url, params, query }: SentRequest): void {
  if (!url.includes("%00")) return;
  const errors = [
    ...findZeroBytes("path", params as Record<string, unknown>),
    ...findZeroBytes("query", query as Record<string, unknown>),
  ];
  if (errors.length > 0) throw new InvalidRequest(errors);
}

function findZeroBytes(place: string, values: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.entries(values)
    .filter(([, value]) => [value].flat().some((one) => String(one).includes("\0")))
    .map(([name]) => ({
      loc: [place, name],
      msg: "Expected text without zero bytes.",
      type: "string_pattern_mismatch",
    }));
}
