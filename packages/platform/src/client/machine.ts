import type { OrganizationPath } from "./organization-path.ts";
import { readEvents } from "./read-events.ts";
import type { Requester, RequestOptions } from "./requester.ts";
import type {
  CallChecked,
  CallCheckRequest,
  CallPage,
  CallQuery,
  ChangeRequest,
  CostQuery,
  Fork,
  ForkRequest,
  MachineCall,
  MachineCost,
  MachineRules,
  MachineSession,
  MachineTimeline,
  MessagePage,
  MessageQuery,
  RulesQuery,
  SessionPage,
  SessionQuery,
  SimulateRequest,
  SimulationReport,
  TimelineQuery,
  UndoneChanges,
  UndoPreview,
  UnusedQuery,
  UnusedTools,
  Workspaces,
} from "./wire-types.ts";

/** Something that happened in a session. */
export interface MachineEvent {
  /** To continue after it. */
  readonly id?: string;
  /** Such as `call.ended`. */
  readonly event: string;
  readonly data: unknown;
}

/** What agents did on the machine of the server. */
export interface MachineClient {
  /** Lists sessions, most recently used first. */
  sessions(query?: Partial<SessionQuery>, signal?: AbortSignal): Promise<SessionPage>;
  /** Lists the directories that sessions worked in. */
  workspaces(signal?: AbortSignal): Promise<Workspaces>;
  session(session: string, signal?: AbortSignal): Promise<MachineSession>;
  /** Lists calls in the order in which they started. */
  calls(session: string, query?: Partial<CallQuery>, signal?: AbortSignal): Promise<CallPage>;
  call(session: string, call: number, signal?: AbortSignal): Promise<MachineCall>;
  /** Lists calls and messages in the order of reading, with those of subagents, as columns. */
  timeline(session: string, query?: TimelineQuery, signal?: AbortSignal): Promise<MachineTimeline>;
  messages(session: string, query?: Partial<MessageQuery>): Promise<MessagePage>;
  /** Returns the whole output of a call whose result was cut. */
  sidecar(session: string, name: string, signal?: AbortSignal): Promise<string>;
  /** Returns a session as one HTML page. */
  export(session: string, signal?: AbortSignal): Promise<string>;
  /** Tells what undoing a call would change, or redoing it if it is an undo. */
  previewUndo(session: string, call: number): Promise<UndoPreview>;
  /** Undoes the last changing call, or one. Throws a `PlatformError` 409 if something would be lost. */
  undo(session: string, request?: ChangeRequest): Promise<UndoneChanges>;
  redo(session: string, request?: ChangeRequest): Promise<UndoneChanges>;
  fork(session: string, request?: ForkRequest): Promise<Fork>;
  /** Reads events until the signal aborts or the connection ends. `after` is the last known ID. */
  events(options?: {
    readonly after?: string;
    readonly signal?: AbortSignal;
  }): AsyncGenerator<MachineEvent>;
  rules(query: Omit<RulesQuery, "session"> & Partial<RulesQuery>): Promise<MachineRules>;
  /** Tells what every layer decides about a call. */
  check(request: CallCheckRequest): Promise<CallChecked>;
  /** Tells what a rule would have changed. */
  simulate(request: SimulateRequest): Promise<SimulationReport>;
  cost(query?: CostQuery): Promise<MachineCost>;
  /** Lists the tools of a workspace that no session used. */
  unused(query: Omit<UnusedQuery, "days"> & Partial<UnusedQuery>): Promise<UnusedTools>;
}

/** Makes the part of the client that is about the server's machine. */
export function createMachineClient(requester: Requester, place: OrganizationPath): MachineClient {
  const get = async <Result>(parts: readonly string[], options?: RequestOptions): Promise<Result> =>
    requester.request("GET", await place.path("machine", ...parts), options);
  const post = async <Result>(parts: readonly string[], body: unknown): Promise<Result> =>
    requester.request("POST", await place.path("machine", ...parts), { body });
  const download = async (parts: readonly string[], signal?: AbortSignal): Promise<string> => {
    const path = await place.path("machine", ...parts);
    const response = await requester.send("GET", path, { headers: { accept: "*/*" }, signal });
    return response.text();
  };
  return {
    sessions: (query = {}, signal) => get(["sessions"], { query, signal }),
    workspaces: (signal) => get(["workspaces"], { signal }),
    session: (session, signal) => get(["sessions", session], { signal }),
    calls: (session, query = {}, signal) => get(["sessions", session, "calls"], { query, signal }),
    call: (session, call, signal) => get(["sessions", session, "calls", String(call)], { signal }),
    timeline: (session, query = {}, signal) =>
      get(["sessions", session, "timeline"], { query, signal }),
    messages: (session, query = {}) => get(["sessions", session, "messages"], { query }),
    sidecar: (session, name, signal) => download(["sessions", session, "sidecars", name], signal),
    export: (session, signal) => download(["sessions", session, "export"], signal),
    previewUndo: (session, call) => get(["sessions", session, "calls", String(call), "undo"]),
    undo: (session, request = {}) => post(["sessions", session, "undo"], request),
    redo: (session, request = {}) => post(["sessions", session, "redo"], request),
    fork: (session, request = {}) => post(["sessions", session, "fork"], request),
    events: async function* ({ after, signal } = {}) {
      const headers = {
        accept: "text/event-stream",
        ...(after !== undefined && { "last-event-id": after }),
      };
      const path = await place.path("machine", "events");
      const response = await requester.send("GET", path, { headers, signal });
      if (response.body === null) return;
      for await (const { event, data, id } of readEvents(response.body)) {
        yield { event, data: JSON.parse(data) as unknown, ...(id !== undefined && { id }) };
      }
    },
    rules: (query) => get(["rules"], { query }),
    check: (request) => post(["rules", "check"], request),
    simulate: (request) => post(["rules", "simulate"], request),
    cost: (query = {}) => get(["cost"], { query }),
    unused: (query) => get(["cost", "unused"], { query }),
  };
}
