import { invalidRequest, unknownSession } from "../request-errors.ts";
import { toErrorLine } from "../to-error-line.ts";
import type { LiveSession } from "./live-session.ts";

/** The open sessions of a client. */
export interface OpenSessions {
  /** Opens a session. If one with this ID is open, it is closed first. */
  open(id: string | undefined, open: () => Promise<LiveSession>): Promise<LiveSession>;
  /** Returns an open session. Throws an error of the protocol if there is none. */
  get(id: string): LiveSession;
  find(id: string): LiveSession | undefined;
  close(id: string): Promise<void>;
  /** Closes all sessions, including those that are being opened. No session can be opened afterwards. */
  closeAll(): Promise<void>;
}

/** Creates an empty set of sessions. */
export function createOpenSessions(warn: (message: string) => void): OpenSessions {
  const sessions = new Map<string, LiveSession>();
  const opening = new Set<Promise<unknown>>();
  let isClosed = false;

  const get = (id: string): LiveSession => {
    const session = sessions.get(id);
    if (session === undefined) throw unknownSession(id);
    return session;
  };
  const close = async (id: string): Promise<void> => {
    const session = get(id);
    sessions.delete(id);
    await session.close();
  };
  const enter = async (
    id: string | undefined,
    open: () => Promise<LiveSession>,
  ): Promise<LiveSession> => {
    const known = id === undefined ? undefined : sessions.get(id);
    if (known?.isBusy) throw invalidRequest(`Session ${known.id} is busy. Cancel its turn first.`);
    if (known !== undefined) await close(known.id);
    const session = await open();
    if (isClosed) {
      await session.close();
      throw invalidRequest("The connection was closed.");
    }
    sessions.set(session.id, session);
    return session;
  };

  return {
    get,
    find: (id) => sessions.get(id),
    close,
    open: (id, open) => {
      const entering = enter(id, open);
      opening.add(entering);
      return entering.finally(() => opening.delete(entering));
    },
    closeAll: async () => {
      isClosed = true;
      await Promise.allSettled(opening);
      const closing = [...sessions.values()].map((session) =>
        session.close().catch((error: unknown) => {
          warn(`Session ${session.id} could not be closed: ${toErrorLine(error)}`);
        }),
      );
      sessions.clear();
      await Promise.all(closing);
    },
  };
}
