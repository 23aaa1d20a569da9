import { clipText } from "@haft/contract/internal";
import type { ErrorObject } from "ajv/dist/2020.js";
import type { FieldError } from "../problem.ts";
import { describeMisfit } from "./describe-misfit.ts";

type Location = FieldError["loc"][0];

const maxErrors = 50;

/** Converts a validator's errors about one part of a request to the API's form. */
export function toFieldErrors(
  location: Location,
  value: unknown,
  errors: readonly ErrorObject[],
): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of settleAlternatives(errors)) {
    const fieldError = toFieldError(location, value, error);
    const key = JSON.stringify([fieldError.loc, fieldError.type, fieldError.msg]);
    if (!found.has(key)) found.set(key, fieldError);
    if (found.size === maxErrors) break;
  }
  return [...found.values()];
}

function toFieldError(location: Location, value: unknown, error: ErrorObject): FieldError {
  const path = toPath(error.instancePath);
  const loc = [location, ...toLocation(value, path)];
  const params = error.params as Record<string, unknown>;
  const input = path.reduce(memberOf, value);
  const { type, msg } = describeMisfit(error, typeof input === "string" && location !== "body");
  if (error.keyword === "required")
    return { loc: [...loc, String(params.missingProperty)], msg, type };
  if (error.keyword === "additionalProperties") {
    return { loc: [...loc, String(params.additionalProperty)], msg, type };
  }
  if (error.propertyName !== undefined) return { loc: [...loc, error.propertyName], msg, type };
  const echo = findEcho(loc, input);
  return echo === undefined ? { loc, msg, type } : { loc, msg, type, input: echo };
}

/**
 * A value that fits none of several alternatives has errors for each. Keeps the errors of the
 * alternative that is closest: of the right type, and with the right constants.
 */
function settleAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  let settled: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== "anyOf" && error.keyword !== "oneOf") {
      // Says only that a name is wrong. The error before it says why.
      if (error.keyword !== "propertyNames") settled.push(error);
      continue;
    }
    const inside = settled.filter(({ instancePath }) => isWithin(instancePath, error.instancePath));
    const others = settled.filter((one) => !inside.includes(one));
    settled = [...others, ...(inside.length === 0 ? [error] : closest(error, inside))];
  }
  return settled;
}

function closest(alternatives: ErrorObject, inside: readonly ErrorObject[]): ErrorObject[] {
  const branches = Map.groupBy(inside, (error) => branchOf(alternatives, error));
  const distances = [...branches.values()].map((branch) => ({
    branch,
    distance: Math.max(...branch.map((error) => distanceOf(alternatives, error))),
  }));
  const minDistance = Math.min(...distances.map(({ distance }) => distance));
  const best = distances.filter(({ distance }) => distance === minDistance);
  if (minDistance < wrongKind) return best[0]?.branch ?? [];
  const types = best.flatMap(({ branch }) => branch.flatMap((error) => error.params.type ?? []));
  const [first] = best[0]?.branch ?? [];
  return first === undefined ? [] : [{ ...first, params: { type: [...new Set(types)] } }];
}

const wrongKind = 2;

function distanceOf({ instancePath }: ErrorObject, error: ErrorObject): number {
  if (error.keyword === "type" && error.instancePath === instancePath) return wrongKind;
  return error.keyword === "const" ? 1 : 0;
}

function branchOf({ schemaPath }: ErrorObject, error: ErrorObject): string {
  if (!error.schemaPath.startsWith(`${schemaPath}/`)) return error.schemaPath;
  return error.schemaPath.slice(schemaPath.length + 1).split("/")[0] as string;
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

function toPath(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** An array index is a number. A member's name is text, even if it looks like a number. */
function toLocation(value: unknown, path: readonly string[]): (string | number)[] {
  let parent = value;
  return path.map((part) => {
    const step = Array.isArray(parent) ? Number(part) : part;
    parent = memberOf(parent, part);
    return step;
  });
}

const maxEchoLength = 17;
const secretName = /value|sensitive|secret|password|token|key|authorization|credential/iu;

/**
 * Returns the part of a wrong input that the response may show: enough to find it, and nothing where
 * a secret may be. `undefined` for nothing.
 */
function findEcho(loc: FieldError["loc"], input: unknown): unknown {
  const [location, ...names] = loc;
  if (location === "header" || names.length === 0) return undefined;
  if (names.some((name) => secretName.test(String(name)))) return undefined;
  if (typeof input === "string") return clipText(input, maxEchoLength);
  if (typeof input === "number" || typeof input === "boolean" || input === null) return input;
  return undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}
