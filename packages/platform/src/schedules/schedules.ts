import type { Kysely } from "kysely";
import type { Principal } from "../auth/principal.ts";
import { findAllowedTools, mayOnTool } from "../auth/tool-access.ts";
import { mayReadTool } from "../history/log-routes.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { JsonObject } from "../json.ts";
import { newId } from "../new-id.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import { scheduleInputContext } from "../secrets/sealed-context.ts";
import type { ScheduleRow, ScheduleRunRow, Tables } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";
import { requireLiveTool } from "../tools/require-tool.ts";
import { parseCron } from "./cron.ts";
import { prepareRun } from "./prepare-run.ts";
import type { RunParts } from "./run-schedule.ts";
import type {
  FilledSchedule,
  Schedule,
  ScheduleRun,
  ScheduleWithRuns,
} from "./schedule-schemas.ts";
import type { Scheduler } from "./scheduler.ts";

/** The schedules of organizations. All throw a `Problem` 404 for one that the caller may not see. */
export interface Schedules {
  create(principal: Principal, toolId: string, schedule: FilledSchedule): Promise<Schedule>;
  list(principal: Principal, toolIds: readonly string[]): Promise<readonly Schedule[]>;
  get(principal: Principal, idOrName: string): Promise<ScheduleWithRuns>;
  pause(principal: Principal, idOrName: string): Promise<Schedule>;
  /** From the next time on. Its own user makes it run with the key of this call. */
  resume(principal: Principal, idOrName: string): Promise<Schedule>;
  /** Runs it now, as it would run at its next time. */
  run(principal: Principal, idOrName: string): Promise<ScheduleRun>;
  remove(principal: Principal, idOrName: string): Promise<void>;
}

type FoundSchedule = ScheduleRow & { readonly tool_name: string };

const maxSchedules = 1_000;
const shownRuns = 20;

/** Keeps schedules. */
export function createSchedules(parts: RunParts, scheduler: Scheduler): Schedules {
  const { store, now, audit } = parts;

  const find = async (principal: Principal, idOrName: string): Promise<FoundSchedule> => {
    const row = await selectSchedules(store.db, principal.organization)
      .where((each) =>
        each.or([each("schedules.id", "=", idOrName), each("schedules.name", "=", idOrName)]),
      )
      .executeTakeFirst();
    if (row === undefined || !(await maySee(principal, row))) {
      throw new Problem(404, `There is no schedule ${idOrName}. List the schedules to see them.`);
    }
    return row;
  };
  const findManaged = async (principal: Principal, idOrName: string): Promise<FoundSchedule> => {
    const row = await find(principal, idOrName);
    if (await mayManage(principal, row)) return row;
    throw new Problem(
      403,
      "This schedule belongs to another user. Changing it requires the permission Tool:ModifyTool on its tool.",
    );
  };
  /** Changes a schedule, with a line in the audit trail. */
  const change = async (
    principal: Principal,
    { id, name }: ScheduleRow,
    { action, values }: { readonly action: string; readonly values: Partial<ScheduleRow> },
  ): Promise<Schedule> => {
    await store.db.transaction().execute(async (db) => {
      await db
        .updateTable("schedules")
        .set({ ...values, updated_at: now() })
        .where("id", "=", id)
        .execute();
      if (values.state === "paused") {
        await db
          .updateTable("schedule_runs")
          .set({ state: "skipped", detail: "The schedule was paused." })
          .where("schedule_id", "=", id)
          .where("state", "=", "queued")
          .execute();
      }
      await audit.record(db, principal, { action, target: id, detail: { name } });
    });
    return toSchedule(await find(principal, id));
  };

  return {
    create: async (principal, toolId, given) => {
      const { organization, userId, keyId } = principal;
      const tool = await requireLiveTool(store.db, { organization, toolId });
      const at = now();
      const id = newId(at);
      const { cron, time_zone, version, missed, overlap, paused } = given;
      const next = requireNext(given, at);
      const input = given.input as JsonObject;
      const ready = await prepareRun(parts, principal, { id, tool_id: toolId, version, input });
      const context = scheduleInputContext(organization, id);
      const row = {
        ...{ id, org_id: organization, tool_id: toolId, version, missed, overlap, time_zone },
        ...{ cron: cron.trim(), user_id: userId, key_id: keyId, created_at: at, updated_at: at },
        input: parts.secrets.seal(JSON.stringify(input), context),
        shown_input: ready.describe()[0]?.draft.inputs ?? "{}",
        state: paused ? ("paused" as const) : ("active" as const),
        ...{ pause_reason: null, next_at: paused ? null : next },
      };
      await store.db.transaction().execute(async (db) => {
        const taken = await readNames(db, organization);
        const name = given.name ?? findFreeName(taken, tool.name);
        const { numInsertedOrUpdatedRows } = await db
          .insertInto("schedules")
          .values({ ...row, name })
          .onConflict((conflict) => conflict.columns(["org_id", "name"]).doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows !== 1n) {
          throw new Problem(409, `There is a schedule ${name} already. Choose another name.`);
        }
        const detail = { name, tool: tool.name, version, cron: row.cron, time_zone };
        await audit.record(db, principal, { action: "schedule.create", target: id, detail });
      });
      scheduler.poke();
      return toSchedule(await find(principal, id));
    },

    list: async (principal, toolIds) => {
      const rows = await selectSchedules(store.db, principal.organization)
        .$if(toolIds.length > 0, (query) => query.where("tool_id", "in", toolIds))
        .orderBy("schedules.name")
        .execute();
      const allowed = await findAllowedTools(principal, ["Tool:InvokeTool"]);
      const mine = rows.filter(({ tool_id }) => allowed?.has(tool_id) ?? true);
      const visible = await Promise.all(mine.map((row) => maySee(principal, row)));
      return mine.filter((_, index) => visible[index]).map(toSchedule);
    },

    get: async (principal, idOrName) => {
      const row = await find(principal, idOrName);
      const runs = await store.db
        .selectFrom("schedule_runs")
        .selectAll()
        .where("schedule_id", "=", row.id)
        .orderBy("id", "desc")
        .limit(shownRuns)
        .execute();
      return { ...toSchedule(row), runs: await toRuns(store.db, runs) };
    },

    pause: async (principal, idOrName) => {
      const row = await findManaged(principal, idOrName);
      const values = { state: "paused", next_at: null, pause_reason: null } as const;
      return change(principal, row, { action: "schedule.pause", values });
    },

    resume: async (principal, idOrName) => {
      const row = await findManaged(principal, idOrName);
      const next_at = requireNext(row, now());
      const context = scheduleInputContext(row.org_id, row.id);
      const input = JSON.parse(parts.secrets.open(row.input, context)) as JsonObject;
      await prepareRun(parts, principal, { ...row, input });
      const key = row.user_id === principal.userId ? { key_id: principal.keyId } : {};
      const values = { state: "active", pause_reason: null, next_at, ...key } as const;
      const schedule = await change(principal, row, { action: "schedule.resume", values });
      scheduler.poke();
      return schedule;
    },

    run: async (principal, idOrName) => {
      const row = await findManaged(principal, idOrName);
      const run = await scheduler.runs.runNow(row, principal);
      return toRun(run, null);
    },

    remove: async (principal, idOrName) => {
      const { id, name } = await findManaged(principal, idOrName);
      await store.db.transaction().execute(async (db) => {
        await db.deleteFrom("schedules").where("id", "=", id).execute();
        await db.deleteFrom("schedule_runs").where("schedule_id", "=", id).execute();
        const entry = { action: "schedule.delete", target: id, detail: { name } };
        await audit.record(db, principal, entry);
      });
    },
  };
}

// A caller of an open route has Tool:InvokeTool on some tools.
async function maySee(principal: Principal, row: ScheduleRow): Promise<boolean> {
  if (await mayManage(principal, row)) return true;
  if (!(await mayOnTool(principal, "Tool:InvokeTool", row.tool_id))) return false;
  return mayReadTool(principal, row.tool_id);
}

async function mayManage(
  principal: Principal,
  { tool_id, user_id }: ScheduleRow,
): Promise<boolean> {
  if (!(await mayOnTool(principal, "Tool:InvokeTool", tool_id))) return false;
  return user_id === principal.userId || mayOnTool(principal, "Tool:ModifyTool", tool_id);
}

function selectSchedules(db: Kysely<Tables>, organization: string) {
  return db
    .selectFrom("schedules")
    .innerJoin("tools", "tools.id", "schedules.tool_id")
    .selectAll("schedules")
    .select("tools.name as tool_name")
    .where("schedules.org_id", "=", organization);
}

function requireNext(
  { cron, time_zone }: { readonly cron: string; readonly time_zone: string },
  at: number,
): number {
  const next = parseCron(cron, time_zone).next(at);
  if (next !== undefined) return next;
  const msg = "It names no time that ever comes. Check the day and the month.";
  throw new InvalidRequest([{ loc: ["body", "cron"], msg, type: "value_error" }]);
}

/** Returns the names of all schedules. Throws a `Problem` if there are too many. */
async function readNames(db: Kysely<Tables>, organization: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("schedules")
    .select("name")
    .where("org_id", "=", organization)
    .execute();
  if (rows.length < maxSchedules) return new Set(rows.map(({ name }) => name));
  throw new Problem(
    409,
    `The organization has ${maxSchedules} schedules. Remove some that are not needed.`,
  );
}

/** Returns the name of the tool, with a number if a schedule has that name. */
function findFreeName(taken: ReadonlySet<string>, toolName: string): string {
  const base = toolName.slice(0, 58);
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(name)) return name;
  }
}

function toSchedule(row: FoundSchedule): Schedule {
  const { id, name, tool_id, tool_name, version, cron, time_zone, missed, overlap } = row;
  return {
    ...{ id, name, tool_id, tool_name, version, cron, time_zone, missed, overlap },
    input: readStoredJsonOr<Schedule["input"]>(row.shown_input, null, () => true),
    ...{ state: row.state, pause_reason: row.pause_reason },
    ...{ user_id: row.user_id, api_key_id: row.key_id },
    created_at: toIsoMoment(row.created_at),
    updated_at: toIsoMoment(row.updated_at),
    next_time: row.next_at === null ? null : toIsoMoment(row.next_at),
  };
}

async function toRuns(
  db: Kysely<Tables>,
  rows: readonly ScheduleRunRow[],
): Promise<readonly ScheduleRun[]> {
  const ids = rows.flatMap(({ invocation_id: id }) => (id === null ? [] : [id]));
  const ended =
    ids.length === 0
      ? []
      : await db
          .selectFrom("invocations")
          .select(["id", "succeeded"])
          .where("id", "in", ids)
          .execute();
  const results = new Map(ended.map(({ id, succeeded }) => [id, succeeded === 1]));
  return rows.map((row) => toRun(row, results.get(row.invocation_id ?? "") ?? null));
}

function toRun(row: ScheduleRunRow, succeeded: boolean | null): ScheduleRun {
  const { id, state, missed, invocation_id, detail } = row;
  return {
    ...{ id, state, missed, invocation_id, succeeded, detail },
    time: row.moment === null ? null : toIsoMoment(row.moment),
    created_at: toIsoMoment(row.created_at),
  };
}
