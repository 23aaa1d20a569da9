import type { JsonSchema } from "@haft/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { createRequestChecks, type RequestCheck } from "../../api/request-checks.ts";
import type { Route } from "../../api/route.ts";
import type { Principal } from "../../auth/principal.ts";
import type { JsonObject } from "../../json.ts";
import { newId } from "../../new-id.ts";
import type { Audit, AuditEntry } from "../../operations/audit.ts";
import { defaultSettings, type PlatformSettings } from "../../platform-settings.ts";
import type { Store } from "../../store/store.ts";
import { createHistory, type HistoryOptions } from "../create-history.ts";
import type { History, NewInvocation } from "../history.ts";
import { invocationRoutes } from "../invocation-routes.ts";
import { retentionRoutes } from "../retention-routes.ts";

/** What a test sends to a route. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

/** History of a store, with a clock that a test can turn. */
export interface HistoryBench {
  readonly history: History;
  readonly organization: string;
  readonly audited: AuditEntry[];
  /** Records invocations of the organization, in this order, and returns their ids. */
  record(...rows: readonly Partial<NewInvocation>[]): Promise<string[]>;
  /** Calls a route by its operation's id. What is sent, and what comes back, is held to its schema. */
  call<Body = JsonObject>(operationId: string, sent?: Sent): Promise<Body>;
  /** The same for somebody of another organization. */
  enter(organization: string): Pick<HistoryBench, "call" | "record">;
  /** Lets time pass. */
  wait(milliseconds: number): void;
}

/** What can be set for a test. */
export interface BenchOptions extends HistoryOptions {
  readonly settings?: Partial<PlatformSettings>;
  readonly processId?: string;
  /** Other routes that can be called. */
  routes?(parts: { readonly store: Store; now(): number }): readonly Route[];
}

/** Makes history on a store. The test closes the store. */
export function openHistory(store: Store, options: BenchOptions = {}): HistoryBench {
  let clock = Date.UTC(2026, 0, 1);
  const now = (): number => clock;
  const audited: AuditEntry[] = [];
  const settings = { ...defaultSettings, ...options.settings };
  const processId = options.processId ?? newId();
  const history = createHistory({ store, settings, processId, now }, options);
  const audit: Audit = {
    record: async (_transaction, _author, entry) => {
      audited.push(entry);
    },
    recordAlone: async (_author, entry) => {
      audited.push(entry);
    },
  };
  const parts = { store, settings, audit, now };
  const routes = [
    ...([...invocationRoutes(parts), ...retentionRoutes(parts)] as Route[]),
    ...(options.routes?.({ store, now }) ?? []),
  ];
  const enter = (organization: string): Pick<HistoryBench, "call" | "record"> => {
    const principal = {
      organization,
      userId: "u",
      keyId: "k",
      role: "r",
      may: () => true,
    };
    return {
      record: async (...given) => {
        const rows = given.map((row) => sampleRow({ org_id: organization, ...row }, clock));
        await Promise.all(rows.map((row) => history.begin(row).end(row)));
        return rows.map(({ id }) => id);
      },
      call: <Body>(operationId: string, sent: Sent = {}) =>
        callRoute(routes, { principal, operationId, sent }) as Promise<Body>,
    };
  };
  const organization = newId();
  return {
    ...enter(organization),
    history,
    organization,
    audited,
    enter,
    wait: (milliseconds) => {
      clock += milliseconds;
    },
  };
}

/** An invocation that went well. */
export function sampleRow(
  given: Partial<NewInvocation> = {},
  at: number = Date.UTC(2026, 0, 1),
): NewInvocation {
  return {
    id: newId(),
    org_id: "a".repeat(24),
    tool_id: "b".repeat(24),
    major: 1,
    minor: 0,
    patch: 0,
    source_type: "direct",
    user_id: "c".repeat(24),
    mode: "regular",
    succeeded: 1,
    output: "well done",
    inputs: '{"city":"Berlin"}',
    duration_ms: 5,
    created_at: at,
    updated_at: at,
    ...given,
  };
}

/** What makes a row one of an invocation that failed. */
export function failedWith(
  exception_type: string,
  exception_message: string,
  stack: readonly string[] = [],
): Partial<NewInvocation> {
  const exception_stack_trace = JSON.stringify(stack);
  return {
    succeeded: 0,
    output: null,
    exception_type,
    exception_message,
    exception_stack_trace,
  };
}

const ajv = new Ajv2020({ strict: false });
ajvFormats.default(ajv);
const toCheck = createRequestChecks();

/** What a request and its answer are held to, by the operation's id. To make them takes long. */
const checks = new Map<string, { request: RequestCheck; reply: ValidateFunction }>();

function findChecks({ operationId, schema }: Route): {
  request: RequestCheck;
  reply: ValidateFunction;
} {
  const known = checks.get(operationId);
  if (known !== undefined) return known;
  const reply = ajv.compile(close(schema.response[200] as JsonSchema));
  const made = { request: toCheck(schema), reply };
  checks.set(operationId, made);
  return made;
}

async function callRoute(
  routes: readonly Route[],
  { principal, operationId, sent }: { principal: Principal; operationId: string; sent: Sent },
): Promise<unknown> {
  const route = routes.find((each) => each.operationId === operationId);
  if (route === undefined) throw new Error(`There is no route ${operationId}.`);
  const request = {
    url: "",
    params: { organization: principal.organization, ...sent.params },
    query: { ...sent.query },
    headers: {},
    body: structuredClone(sent.body),
  };
  const check = findChecks(route);
  check.request(request);
  const { signal } = new AbortController();
  const { status, body } = await route.handle({
    ...request,
    principal,
    signal,
  });
  if (status !== 200) throw new Error(`${operationId} answers ${status}.`);
  const answered: unknown = JSON.parse(JSON.stringify(body));
  if (!check.reply(answered)) {
    throw new Error(`${operationId} answers another shape: ${ajv.errorsText(check.reply.errors)}`);
  }
  return answered;
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
