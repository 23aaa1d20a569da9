import type { FieldError } from "../problem.ts";

const mostCharacters = 16;
const secretName = /value|sensitive|secret|password|token|key|authorization|credential/iu;

/**
 * What of a wrong input may be shown to whoever sent it: enough to find it again, and nothing where
 * secrets stand. `undefined` for nothing.
 */
export function findEcho(loc: FieldError["loc"], input: unknown): unknown {
  const [place, ...names] = loc;
  if (place === "header" || names.length === 0) return undefined;
  if (names.some((name) => secretName.test(String(name)))) return undefined;
  if (typeof input === "string") {
    return input.length <= mostCharacters ? input : `${input.slice(0, mostCharacters)}…`;
  }
  if (typeof input === "number" || typeof input === "boolean" || input === null) return input;
  return undefined;
}
