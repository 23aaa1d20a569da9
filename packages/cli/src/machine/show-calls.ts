import { isSecretPath, type ListedCall, listSidecars, openSidecar } from "@haft/computer/internal";
import { toClientText } from "@haft/connect/internal";
import { type PastCall, ToolError } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { CallRecord } from "@haft/core";
import { createSecrets } from "@haft/core/internal";
import type { ListedMachineCall, MachineService } from "@haft/platform/internal";
import { diffStates } from "../commands/diff.ts";
import { findToolSecrets } from "../options/choose-tools.ts";
import { findDiffs } from "../terminal/find-diffs.ts";
import { findPastCall } from "./change-session.ts";
import type { MachineLocation, MachineRecords } from "./machine-records.ts";
import { fromToken, toToken } from "./page-token.ts";

type Part = Pick<MachineService, "listCalls" | "getCall" | "openSidecar">;

/** Creates the part of the service that shows calls. */
export function createCallPages(records: MachineRecords): Part {
  return {
    listCalls: async (session, { limit, continuation_token, id, state, tool }) => {
      records.require(session);
      const [startedAt, row] = fromToken(continuation_token) ?? [];
      const after =
        row === undefined ? undefined : { startedAt: Number(startedAt), row: Number(row) };
      const index = await records.index();
      const filter = { session, after, rows: id, states: orAll(state), tools: orAll(tool) };
      const found = index.list({ ...filter, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const hasMore = found.length > limit && last !== undefined;
      return {
        calls: page.map(toListedCall),
        has_more: hasMore,
        continuation_token: hasMore ? toToken([last.startedAt, last.row]) : null,
      };
    },
    getCall: async (session, row) => {
      const place = records.require(session);
      const index = await records.index();
      const listed = index.find(session, row);
      const record = listed && index.read(row);
      if (record === undefined) {
        throw new ToolError("not-found", `The session ${session} has no call ${row}.`);
      }
      const past = await findPastCall(place, record, records);
      return {
        ...toListedCall(listed as ListedCall),
        arguments: record.arguments,
        dialect: record.dialect,
        result: record.result,
        result_text: toClientText(record.result, [place.workspace]),
        diffs: listDiffs(record, past, { place, records }),
        sidecars: place.directory === undefined ? [] : listSidecars(place.directory, record.callId),
        can_undo: past?.isUndo === false,
        can_redo: past?.isUndo === true,
      };
    },
    openSidecar: async (session, name) => {
      const { directory } = records.require(session);
      const found = directory === undefined ? undefined : await openSidecar(directory, name);
      if (found !== undefined) return found;
      throw new ToolError(
        "not-found",
        `The session ${session} has no output ${JSON.stringify(name)}. Outputs are removed when a session is closed.`,
      );
    },
  };
}

function orAll(wanted: readonly string[] | undefined): readonly string[] | undefined {
  return wanted === undefined || wanted.length === 0 ? undefined : wanted;
}

/** Converts an indexed call to the form of the API. */
export function toListedCall(call: ListedCall): ListedMachineCall {
  const { passage } = call;
  return {
    id: call.row,
    call_id: call.callId,
    session: call.session,
    parent: call.parent ?? null,
    parent_call_id: call.parentId ?? null,
    child_session: call.child ?? null,
    tool: call.tool,
    name: call.name,
    state: call.state,
    started_at: new Date(call.startedAt).toISOString(),
    duration_ms: call.durationMs,
    asked_ms: passage?.asked_ms ?? 0,
    queued_ms: passage?.queued_ms ?? 0,
    title: call.title,
    preview: call.preview,
    error_code: call.errorCode ?? null,
    isolation: call.isolation ?? null,
    passage:
      passage === undefined
        ? null
        : {
            action: passage.action,
            rule: passage.rule ?? null,
            scope: passage.scope ?? null,
            watched: passage.watched === true,
            reviewed: passage.reviewed === true,
            answer: passage.answer ?? null,
          },
    changed_files: call.files,
    changed_count: call.changed,
    sidecar: call.sidecar ?? null,
    result_tokens: call.tokens,
  };
}

interface Diff {
  readonly path: string | null;
  readonly diff: string;
}

const maxDiffs = 50;

// A result that has no diffs, such as that of a command, gets those of the journal.
function listDiffs(
  { result }: CallRecord,
  past: PastCall | undefined,
  { place, records }: { readonly place: MachineLocation; readonly records: MachineRecords },
): Diff[] {
  const data = result.type === "output" ? result.data : undefined;
  const own = isPlainObject(data) ? findDiffs(data) : [];
  if (own.length > 0) return own.map((diff) => ({ path: findPath(diff), diff }));
  // The journal holds files as they were. Records hold no secrets, so neither does this.
  const secrets = createSecrets(findToolSecrets(records.io));
  const paths = past?.paths.filter((path) => !isSecretPath(path)).slice(0, maxDiffs) ?? [];
  if (past === undefined || paths.length === 0) return [];
  return readChanges(past).flatMap(({ path, before, after }) => {
    if (!paths.includes(path)) return [];
    const name = path.startsWith(`${place.workspace}/`)
      ? path.slice(place.workspace.length + 1)
      : path;
    const diff = diffStates(name, before, after);
    return diff ? [{ path, diff: secrets.hideInData(diff) }] : [];
  });
}

function readChanges(past: PastCall): ReturnType<PastCall["changes"]> {
  try {
    return past.changes();
  } catch (error) {
    // Old contents may be gone, to make room for newer ones.
    if (ToolError.isInstance(error)) return [];
    throw error;
  }
}

function findPath(diff: string): string | null {
  return /^\+\+\+ (?<path>[^\t\n]+)/mu.exec(diff)?.groups?.path ?? null;
}
