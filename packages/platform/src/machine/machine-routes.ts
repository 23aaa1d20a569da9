import { type AnyRoute, defineRoute } from "../api/route.ts";
import { wantsEvents } from "../api/stream-events.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { createMachineAccess } from "./machine-access.ts";
import type { MachineService } from "./machine-service.ts";
import {
  callChecked,
  callCheckRequest,
  costQuery,
  machineCost,
  machineRules,
  rulesQuery,
  simulateRequest,
  simulationReport,
  unusedQuery,
  unusedTools,
} from "./rule-schemas.ts";
import type {
  CallCheckRequest,
  CostQuery,
  RulesQuery,
  SimulateRequest,
  UnusedQuery,
} from "./rule-values.ts";
import { sessionRoutes } from "./session-routes.ts";
import { type RunSimulation, streamSimulation } from "./stream-simulation.ts";

const base = "/v1/:organization/machine";
const permission = "Machine:Read";

/**
 * The API's routes for what agents do on the server's machine. They exist without the service too, and
 * then answer 404.
 */
export function machineRoutes(
  parts: Pick<PlatformParts, "store" | "audit">,
  machine: MachineService | undefined,
): readonly AnyRoute[] {
  const withMachine = createMachineAccess(parts.store, machine);
  return [
    ...sessionRoutes(parts, withMachine),
    defineRoute<unknown, RulesQuery>({
      method: "GET",
      url: `${base}/rules`,
      operationId: "list-machine-rules",
      summary:
        "Lists the rules in effect in a workspace, by scope, with the file and line of each.",
      permission,
      schema: { querystring: rulesQuery, response: { 200: machineRules } },
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await withMachine(principal, (service) => service.listRules(query)),
      }),
    }),
    defineRoute<CallCheckRequest>({
      method: "POST",
      url: `${base}/rules/check`,
      operationId: "check-machine-call",
      summary: "Tells what every layer decides about a call, and why. Nothing is run.",
      permission,
      schema: { body: callCheckRequest, response: { 200: callChecked } },
      handle: async ({ principal, body }) => ({
        status: 200,
        body: await withMachine(principal, (service) => service.checkCall(body)),
      }),
    }),
    defineRoute<SimulateRequest>({
      method: "POST",
      url: `${base}/rules/simulate`,
      operationId: "simulate-machine-rule",
      summary:
        "Tells what a rule would have changed for recorded calls. With `Accept: text/event-stream`, streams `progress` events, then `result`.",
      permission,
      schema: { body: simulateRequest, response: { 200: simulationReport } },
      handle: async ({ principal, body, signal, headers }) => {
        const run: RunSimulation = (onProgress) =>
          withMachine(principal, (service) => service.simulateRule(body, { signal, onProgress }));
        return wantsEvents(headers.accept)
          ? { status: 200, events: await streamSimulation(run) }
          : { status: 200, body: await run(() => {}) };
      },
    }),
    defineRoute<unknown, CostQuery>({
      method: "GET",
      url: `${base}/cost`,
      operationId: "get-machine-cost",
      summary: "Sums tokens and money by day, agent, model and tool.",
      permission,
      schema: { querystring: costQuery, response: { 200: machineCost } },
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await withMachine(principal, (service) => service.getCost(query)),
      }),
    }),
    defineRoute<unknown, UnusedQuery>({
      method: "GET",
      url: `${base}/cost/unused`,
      operationId: "list-machine-unused-tools",
      summary:
        "Lists the tools of a workspace that no session used, with the size of their definitions.",
      permission,
      schema: { querystring: unusedQuery, response: { 200: unusedTools } },
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await withMachine(principal, (service) => service.listUnused(query)),
      }),
    }),
  ];
}
