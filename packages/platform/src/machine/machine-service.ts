import type { Readable } from "node:stream";
import type { ServerSentEvent } from "../api/route.ts";
import type {
  CallChecked,
  CallCheckRequest,
  CostQuery,
  MachineCost,
  MachineRules,
  RulesQuery,
  SimulateRequest,
  SimulationProgress,
  SimulationReport,
  UnusedQuery,
  UnusedTools,
} from "./rule-values.ts";
import type {
  CallPage,
  CallQuery,
  ChangeConflict,
  ChangeRequest,
  Fork,
  ForkRequest,
  MachineCall,
  MachineSession,
  MachineTimeline,
  MessagePage,
  MessageQuery,
  SessionPage,
  SessionQuery,
  TimelineQuery,
  UndoneChanges,
  UndoPreview,
  Workspaces,
} from "./session-values.ts";

/** What a caller does while a simulation of many calls runs. */
export interface Following {
  /** Stops the simulation. */
  readonly signal: AbortSignal;
  /** Called when the first call is about to be judged, then every now and then. */
  onProgress?(progress: SimulationProgress): void;
}

/**
 * What agents did on the machine of the server, from their records. Throws a `ToolError`: `not-found`
 * and `invalid-arguments` are answered with 404 and 422, `conflict` with 409, other codes with 403.
 */
export interface MachineService {
  listSessions(query: SessionQuery): Promise<SessionPage>;
  listWorkspaces(): Promise<Workspaces>;
  getSession(session: string): Promise<MachineSession>;
  listCalls(session: string, query: CallQuery): Promise<CallPage>;
  getTimeline(session: string, query: TimelineQuery): Promise<MachineTimeline>;
  getCall(session: string, call: number): Promise<MachineCall>;
  listMessages(session: string, query: MessageQuery): Promise<MessagePage>;
  openSidecar(session: string, name: string): Promise<{ bytes: number; content: Readable }>;
  /** The session as one HTML page. */
  exportSession(session: string): Promise<{ name: string; content: Readable }>;
  /** What undoing a call would change, or redoing it if it is an undo. Changes nothing. */
  previewUndo(session: string, call: number): Promise<UndoPreview | ChangeConflict>;
  undo(session: string, request: ChangeRequest): Promise<UndoneChanges | ChangeConflict>;
  redo(session: string, request: ChangeRequest): Promise<UndoneChanges | ChangeConflict>;
  fork(session: string, request: ForkRequest): Promise<Fork>;
  /** Follows all sessions. `after` is the ID of the last event that the listener has. */
  follow(after: string | undefined, signal: AbortSignal): AsyncIterable<ServerSentEvent>;
  listRules(query: RulesQuery): Promise<MachineRules>;
  checkCall(request: CallCheckRequest): Promise<CallChecked>;
  simulateRule(request: SimulateRequest, following: Following): Promise<SimulationReport>;
  getCost(query: CostQuery): Promise<MachineCost>;
  listUnused(query: UnusedQuery): Promise<UnusedTools>;
}
