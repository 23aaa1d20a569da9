import { type AnyRoute, defineRoute } from "../api/route.ts";
import { toolParams } from "../tools/tool-schemas.ts";
import {
  type FilledSchedule,
  type FilledScheduleQuery,
  newScheduleBody,
  scheduleList,
  scheduleParams,
  scheduleQuery,
  scheduleReply,
  scheduleRun,
} from "./schedule-schemas.ts";
import type { Schedules } from "./schedules.ts";

interface Params {
  readonly schedule_id: string;
}

/** The API's routes for schedules. */
export function scheduleRoutes(schedules: Schedules): readonly AnyRoute[] {
  const url = "/v1/:organization/tool/schedule/";
  const needed = { permission: "Tool:InvokeTool", about: "tools" } as const;
  const params = scheduleParams;
  return [
    defineRoute<FilledSchedule, unknown, { readonly tool_id: string }>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/schedule",
      operationId: "create-tool-schedule",
      summary: "Creates a schedule that invokes a tool at the times of a cron expression.",
      permission: "Tool:InvokeTool",
      about: "tool",
      schema: { params: toolParams, body: newScheduleBody, response: { 201: scheduleReply } },
      handle: async ({ principal, params: { tool_id }, body }) => ({
        status: 201,
        body: await schedules.create(principal, tool_id, body),
      }),
    }),
    defineRoute<unknown, FilledScheduleQuery>({
      method: "GET",
      url,
      operationId: "get-tool-schedules",
      summary: "Lists the schedules that the caller may see.",
      ...needed,
      schema: { querystring: scheduleQuery, response: { 200: scheduleList } },
      handle: async ({ principal, query }) => ({
        status: 200,
        body: { schedules: await schedules.list(principal, query.tool_id) },
      }),
    }),
    defineRoute<unknown, unknown, Params>({
      method: "GET",
      url: `${url}:schedule_id`,
      operationId: "get-tool-schedule",
      summary: "Shows a schedule with its last 20 runs.",
      ...needed,
      schema: { params, response: { 200: scheduleReply } },
      handle: async ({ principal, params: { schedule_id } }) => ({
        status: 200,
        body: await schedules.get(principal, schedule_id),
      }),
    }),
    defineRoute<unknown, unknown, Params>({
      method: "POST",
      url: `${url}:schedule_id/pause`,
      operationId: "pause-tool-schedule",
      summary: "Pauses a schedule. Runs that have started go on.",
      ...needed,
      schema: { params, response: { 200: scheduleReply } },
      handle: async ({ principal, params: { schedule_id } }) => ({
        status: 200,
        body: await schedules.pause(principal, schedule_id),
      }),
    }),
    defineRoute<unknown, unknown, Params>({
      method: "POST",
      url: `${url}:schedule_id/resume`,
      operationId: "resume-tool-schedule",
      summary: "Resumes a schedule from its next time on.",
      ...needed,
      schema: { params, response: { 200: scheduleReply } },
      handle: async ({ principal, params: { schedule_id } }) => ({
        status: 200,
        body: await schedules.resume(principal, schedule_id),
      }),
    }),
    defineRoute<unknown, unknown, Params>({
      method: "POST",
      url: `${url}:schedule_id/run`,
      operationId: "run-tool-schedule",
      summary: "Runs a schedule now, besides its times.",
      ...needed,
      schema: { params, response: { 202: scheduleRun } },
      handle: async ({ principal, params: { schedule_id } }) => ({
        status: 202,
        body: await schedules.run(principal, schedule_id),
      }),
    }),
    defineRoute<unknown, unknown, Params>({
      method: "DELETE",
      url: `${url}:schedule_id`,
      operationId: "delete-tool-schedule",
      summary: "Deletes a schedule. Its invocations stay in history.",
      ...needed,
      schema: { params, response: { 204: null } },
      handle: async ({ principal, params: { schedule_id } }) => {
        await schedules.remove(principal, schedule_id);
        return { status: 204 };
      },
    }),
  ];
}
