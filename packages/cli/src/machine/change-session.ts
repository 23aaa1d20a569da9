import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { isSecretPath } from "@haft/computer/internal";
import { compileRequirements, type PastCall, ToolError } from "@haft/contract";
import type { CallRecord } from "@haft/core";
import { createSecrets, openToRead } from "@haft/core/internal";
import type { ChangeConflict, MachineService } from "@haft/platform/internal";
import { type UndoEditData, undoEdit } from "@haft/tools";
import { previewUndo } from "@haft/tools/internal";
import { forkRecords } from "../commands/sessions/fork.ts";
import { writeHtml } from "../commands/sessions/write-html.ts";
import { undoInSession } from "../commands/undo.ts";
import { openComputer } from "../open-workspace.ts";
import { findToolSecrets } from "../options/choose-tools.ts";
import { UsageError } from "../usage-error.ts";
import type { MachineLocation, MachineRecords } from "./machine-records.ts";

type Part = Pick<MachineService, "previewUndo" | "undo" | "redo" | "fork" | "exportSession">;

/** Creates the part of the service that changes and exports sessions. */
export function createSessionChanges(records: MachineRecords): Part {
  const change =
    (redo: boolean): MachineService["undo"] =>
    async (session, { call }) => {
      const place = records.require(session);
      const options = records.optionsFor(place.workspace, place.name);
      const past = call === undefined ? undefined : await requirePast(place, call, records);
      const id = `${redo ? "redo" : "undo"}-${randomUUID()}`;
      const args = { ...(past && { call: past.id }), ...(redo && { redo }) };
      const result = await undoInSession({ id, arguments: args }, options, records.io);
      if (result.type === "output") {
        const { undone, message } = result.data as UndoEditData;
        const row = (await records.index()).findRow(session, id);
        return { undone, message, call: row ?? null, call_id: id };
      }
      const { error_code: code = "failed", absolute_path: path } = result.metadata;
      if (code !== "conflict") throw new ToolError(code, result.error_text);
      return describeConflict(result.error_text, { place, path, past }, records);
    };
  return {
    previewUndo: async (session, call) => {
      const place = records.require(session);
      const past = await requirePast(place, call, records);
      const computer = openComputer(records.optionsFor(place.workspace, place.name), records.io);
      const grant = compileRequirements(undoEdit.requires ?? {}, computer.variables);
      const secrets = createSecrets(findToolSecrets(records.io));
      try {
        const undone = await previewUndo(
          { call: past.id, redo: past.isUndo },
          {
            fs: openToRead(grant, computer),
            history: computer.openSession(place.name).journal,
            roots: computer.roots,
          },
        );
        return {
          undone: undone.map(({ path, action, diff }) => {
            const isShown = diff !== undefined && !isSecretPath(path);
            return { path, action, ...(isShown && { diff: secrets.hideInData(diff) }) };
          }),
        };
      } catch (error) {
        if (!ToolError.isInstance(error) || error.code !== "conflict") throw error;
        return describeConflict(error.message, { place, path: error.absolutePath, past }, records);
      }
    },
    undo: change(false),
    redo: change(true),
    fork: async (session, { name, at }) => {
      const place = records.require(session);
      const options = records.optionsFor(place.workspace);
      try {
        return forkRecords({ source: session, name, at }, records, { options, io: records.io });
      } catch (error) {
        if (error instanceof UsageError) throw new ToolError("conflict", error.message);
        throw error;
      }
    },
    exportSession: async (session) => {
      const { id, name } = records.require(session);
      return { name, content: Readable.from(writeHtml({ id, threads: records.threads })) };
    },
  };
}

interface RefusedUndo {
  readonly place: MachineLocation;
  readonly path: string | undefined;
  readonly past: PastCall | undefined;
}

async function describeConflict(
  detail: string,
  { place, path, past }: RefusedUndo,
  records: MachineRecords,
): Promise<ChangeConflict> {
  return { detail, path: path ?? null, since: await listLater(place, { path, past }, records) };
}

/** Returns what the journal knows about a call, if its changes stand or it undid others. */
export async function findPastCall(
  place: MachineLocation,
  { callId, startedAt, result }: CallRecord,
  records: MachineRecords,
): Promise<PastCall | undefined> {
  // Call IDs may recur, so the time decides too.
  const endedAt = startedAt + result.metadata.duration_ms + slackMs;
  return (await listPastCalls(place, records)).find(
    (past) => past.callId === callId && past.at >= startedAt - slackMs && past.at <= endedAt,
  );
}

// Durations are rounded, and measured with another clock.
const slackMs = 1_000;

async function listPastCalls(
  { workspace, name, directory }: MachineLocation,
  { optionsFor, io }: MachineRecords,
): Promise<readonly PastCall[]> {
  if (directory === undefined) return [];
  try {
    const computer = openComputer(optionsFor(workspace, name), io);
    return (await computer.openSession(name).journal.calls?.()) ?? [];
  } catch (error) {
    // The workspace is gone.
    if (ToolError.isInstance(error) || error instanceof UsageError) return [];
    throw error;
  }
}

async function requirePast(
  place: MachineLocation,
  call: number,
  records: MachineRecords,
): Promise<PastCall> {
  const index = await records.index();
  const listed = index.find(place.id, call);
  const record = listed && index.read(call);
  if (record === undefined) {
    throw new ToolError("not-found", `The session ${place.id} has no call ${call}.`);
  }
  const past = await findPastCall(place, record, records);
  if (past !== undefined) return past;
  const why =
    listed?.parent === undefined
      ? "It changed no file, or its changes were undone."
      : `What it changed belongs to the call that made it: ${listed.parent}.`;
  throw new ToolError("not-found", `Call ${call} has nothing to undo. ${why}`);
}

/** Lists the later calls that changed a path, newest first. */
async function listLater(
  place: MachineLocation,
  { path, past }: { readonly path: string | undefined; readonly past: PastCall | undefined },
  records: MachineRecords,
): Promise<ChangeConflict["since"]> {
  if (path === undefined || past === undefined) return [];
  const calls = await listPastCalls(place, records);
  const at = calls.findIndex(({ id }) => id === past.id);
  return calls
    .slice(0, Math.max(0, at))
    .filter(({ paths }) => paths.includes(path))
    .map(({ callId, tool = "", title = "", at: time }) => ({
      call_id: callId,
      tool,
      title,
      at: new Date(time).toISOString(),
    }));
}
