import type { OrganizationPath } from "./organization-path.ts";
import type { Requester } from "./requester.ts";
import type { NewSchedule, Schedule, ScheduleRun, ScheduleWithRuns } from "./wire-types.ts";

/** Schedules, which invoke tools at the times of a cron expression. Named by ID or name. */
export interface SchedulesClient {
  list(query?: {
    readonly tool_id?: readonly string[];
  }): Promise<{ readonly schedules: readonly Schedule[] }>;
  /** Shows a schedule with its last runs. */
  get(schedule: string): Promise<ScheduleWithRuns>;
  create(toolId: string, schedule: NewSchedule): Promise<Schedule>;
  pause(schedule: string): Promise<Schedule>;
  resume(schedule: string): Promise<Schedule>;
  /** Runs it now, besides its times. */
  run(schedule: string): Promise<ScheduleRun>;
  delete(schedule: string): Promise<void>;
}

/** Makes the part of the client that is about schedules. */
export function createSchedulesClient(
  requester: Requester,
  place: OrganizationPath,
): SchedulesClient {
  const path = (...parts: readonly string[]): Promise<string> =>
    place.path("tool", "schedule", ...parts);
  return {
    list: async (query) => requester.request("GET", await path(""), { query: query ?? {} }),
    get: async (schedule) => requester.request("GET", await path(schedule)),
    create: async (toolId, body) =>
      requester.request("POST", await place.path("tool", toolId, "schedule"), { body }),
    pause: async (schedule) => requester.request("POST", await path(schedule, "pause")),
    resume: async (schedule) => requester.request("POST", await path(schedule, "resume")),
    run: async (schedule) => requester.request("POST", await path(schedule, "run")),
    delete: async (schedule) => requester.request("DELETE", await path(schedule)),
  };
}
