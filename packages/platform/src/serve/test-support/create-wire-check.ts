import type { JsonSchema } from "@haft/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import type { CallerOptions } from "./create-caller.ts";
import {
  commonFailures,
  otherError,
  validationError,
  type WireOperation,
  wireOperations,
} from "./wire-schemas.ts";

/** Holds every answer of an operation of the published interface to what it says. */
export interface WireCheck {
  readonly onAnswer: NonNullable<CallerOptions["onAnswer"]>;
  /** What did not hold. */
  readonly faults: readonly string[];
  /** Which operations have answered with success so far. */
  readonly answered: ReadonlySet<string>;
}

const ajv = new Ajv2020({ strict: true, allErrors: true });
ajvFormats.default(ajv);
const compiled = new Map<JsonSchema, ValidateFunction>();

/** Makes a check for all answers that a caller gets. */
export function createWireCheck(): WireCheck {
  const faults: string[] = [];
  const answered = new Set<string>();
  return {
    faults,
    answered,
    onAnswer: ({ method, path }, { status, headers, body, text }) => {
      const operation = findOperation(method, path);
      if (operation === undefined) return;
      const { operationId, ok, schema, type, failures = [] } = operation;
      const fault = (what: string): void => void faults.push(`${operationId}: ${what}`);
      if (status === ok) {
        answered.add(operationId);
        if (type === undefined && text !== "") fault(`has a body: ${text}`);
        const isTyped = headers.get("content-type")?.startsWith(type ?? "") ?? false;
        // A stream of events is asked for, and is not of the interface.
        if (headers.get("content-type")?.startsWith("text/event-stream")) return;
        if (type !== undefined && !isTyped) fault(`is ${headers.get("content-type")}`);
        if (schema !== undefined) expectShape(schema, body, fault);
        return;
      }
      if (![...commonFailures, ...failures].includes(status)) fault(`answers ${status}: ${text}`);
      expectShape(status === 422 ? validationError : otherError, body, fault);
    },
  };
}

function findOperation(method: string, path: string): WireOperation | undefined {
  const [bare = ""] = path.split("?");
  return wireOperations.find(
    (operation) => operation.method === method && toPattern(operation.path).test(bare),
  );
}

function toPattern(path: string): RegExp {
  const parts = path.split(/\{\w+\}/u).map((part) => part.replaceAll(".", "\\."));
  return new RegExp(`^${parts.join("[^/]+")}$`, "u");
}

function expectShape(schema: JsonSchema, body: unknown, fault: (what: string) => void): void {
  let fits = compiled.get(schema);
  if (fits === undefined) {
    fits = ajv.compile(schema);
    compiled.set(schema, fits);
  }
  if (!fits(body)) fault(`${ajv.errorsText(fits.errors)} in ${JSON.stringify(body)}`);
}
