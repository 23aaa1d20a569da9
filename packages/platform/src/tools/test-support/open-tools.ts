import type { JsonSchema } from "@haft/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { createRequestChecks } from "../../api/request-checks.ts";
import type { AnyRoute, ApiReply, Route } from "../../api/route.ts";
import type { Principal } from "../../auth/principal.ts";
import { newId } from "../../new-id.ts";
import { createAudit } from "../../operations/audit.ts";
import type { PlatformParts } from "../../platform-parts.ts";
import { defaultSettings } from "../../platform-settings.ts";
import type { Store } from "../../store/store.ts";
import { plainBox } from "../../test-support/plain-box.ts";
import { versionRoutes } from "../../versions/version-routes.ts";
import { toolRoutes } from "../tool-routes.ts";

/** What a test sends to a route. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  /** As a query string has it: text, or texts. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

/** Somebody who uses the API. */
export interface Caller extends Principal {
  /** Calls a route by its operation's id. What is sent, and what comes back, is held to its schema. */
  call(operationId: string, sent?: Sent): Promise<ApiReply>;
  /** Calls it and returns the body. */
  get<Body>(operationId: string, sent?: Sent): Promise<Body>;
  /** Creates a tool and returns its id. */
  createTool(name: string, tags?: Readonly<Record<string, string | null>>): Promise<string>;
}

/** The platform's parts with a clock that a test can turn. */
export interface ToolBench {
  readonly parts: PlatformParts;
  /** Lets time pass. */
  wait(milliseconds: number): void;
  /** Somebody of an organization; of a new one unless told. */
  enter(organization?: string): Caller;
}

/** Serves tools and versions of a store, and more routes if given, without a server. */
export function openTools(
  store: Store,
  more: (parts: PlatformParts) => readonly AnyRoute[] = () => [],
): ToolBench {
  let clock = Date.UTC(2026, 0, 1);
  const now = (): number => clock++;
  const parts: PlatformParts = {
    store,
    settings: defaultSettings,
    secrets: plainBox,
    audit: createAudit({ store, now }),
    processId: "here",
    now,
  };
  const routes = [...toolRoutes(parts), ...versionRoutes(parts), ...more(parts)] as Route[];
  return {
    parts,
    wait: (milliseconds) => {
      clock += milliseconds;
    },
    enter: (organization = newId()) => {
      const principal: Principal = {
        organization,
        userId: newId(),
        keyId: newId(),
        role: "any",
        may: () => true,
      };
      const call: Caller["call"] = (operationId, sent = {}) =>
        callRoute(routes, { principal, operationId, sent });
      const get = async <Body>(operationId: string, sent?: Sent): Promise<Body> =>
        (await call(operationId, sent)).body as Body;
      return {
        ...principal,
        call,
        get,
        createTool: async (name, tags = {}) => {
          const body = { name, description: `Does ${name}.`, tags };
          return (await get<{ id: string }>("create-tool", { body })).id;
        },
      };
    },
  };
}

const ajv = new Ajv2020({ strict: false });
ajvFormats.default(ajv);
const toCheck = createRequestChecks();

async function callRoute(
  routes: readonly Route[],
  { principal, operationId, sent }: { principal: Principal; operationId: string; sent: Sent },
): Promise<ApiReply> {
  const route = routes.find((each) => each.operationId === operationId);
  if (route === undefined) throw new Error(`There is no route ${operationId}.`);
  const request = {
    url: "",
    params: { organization: principal.organization, ...sent.params },
    query: { ...sent.query },
    headers: {},
    body: structuredClone(sent.body),
  };
  toCheck(route.schema)(request);
  const { signal } = new AbortController();
  const reply = await route.handle({ ...request, principal, signal });
  const schema = route.schema.response[reply.status];
  if (schema === undefined) throw new Error(`${operationId} does not say ${reply.status}.`);
  if (schema === null) {
    if (reply.body !== undefined) throw new Error(`${operationId} should answer nothing.`);
  } else if (!ajv.validate(close(schema), JSON.parse(JSON.stringify(reply.body)))) {
    throw new Error(`${operationId} answers another shape: ${ajv.errorsText()}`);
  }
  return reply;
}

/** The same schema, but nothing may be there that it does not name. */
function close(schema: JsonSchema): JsonSchema {
  const closed = JSON.stringify(schema, (_key, value: unknown) =>
    typeof value === "object" && value !== null && "properties" in value
      ? { ...value, additionalProperties: false }
      : value,
  );
  return JSON.parse(closed) as JsonSchema;
}
