import { answerQuestion, openSessionInbox, toInboxItem } from "@haft/computer/internal";
import { permissions } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { readCredentials } from "../organizations/credentials-file.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import type { FilledInboxQuery, InboxItem } from "./inbox-schemas.ts";

/** Calls of sessions on this machine that wait for a person. */
export interface SessionItems {
  list(principal: Principal, states: FilledInboxQuery["state"]): InboxItem[];
  /** Returns the item, or `undefined` if the caller has no such item. */
  find(principal: Principal, id: string): InboxItem | undefined;
  answer(principal: Principal, id: string, given: GivenAnswer): Promise<InboxItem>;
}

/** An answer as it was sent. */
export interface GivenAnswer {
  readonly answer: unknown;
  readonly reason?: string;
}

/** Where the calls wait, and whose they are. */
export interface SessionItemsOptions {
  /** The state directory of the user who runs the server. */
  readonly stateDirectory: string;
  /** The data directory. Its `credentials.json` names the organization of this machine. */
  readonly directory: string;
}

/**
 * Shows the calls to administrators of this machine's own organization. Approving one runs it with the rights of the
 * user who runs the server, so no narrower permission is enough.
 */
export function createSessionItems(
  { audit }: Pick<PlatformParts, "audit">,
  { stateDirectory, directory }: SessionItemsOptions,
): SessionItems {
  const inbox = openSessionInbox(stateDirectory);
  const mayAnswer = (principal: Principal): boolean =>
    permissions.every((permission) => principal.may(permission)) &&
    readCredentials(directory)?.organization === principal.organization;
  const find: SessionItems["find"] = (principal, id) => {
    const entry = mayAnswer(principal) ? inbox.find(id) : undefined;
    return entry && toInboxItem(entry);
  };
  return {
    list: (principal, states) => {
      if (!mayAnswer(principal)) return [];
      const wanted = states.length === 0 ? ["waiting"] : states;
      return inbox
        .list()
        .map(toInboxItem)
        .filter(({ state }) => (wanted as readonly string[]).includes(state));
    },
    find,
    answer: async (principal, id, { answer, reason }) => {
      const item = find(principal, id);
      if (item === undefined) throw new Problem(404, `There is no item ${id} in the inbox.`);
      const by = principal.userId;
      const answered = answerQuestion(inbox, id, { answer, reason, by, via: "HTTP" });
      if (answered.refused === "invalid") {
        const loc = ["body", "answer"];
        throw new InvalidRequest([{ loc, msg: answered.why, type: "value_error" }]);
      }
      if (answered.refused !== undefined) throw new Problem(409, answered.why);
      await audit.recordAlone(principal, {
        action: "inbox.answer",
        target: id,
        detail: { kind: item.kind, source: item.source.id, tool: item.tool_name },
      });
      return toInboxItem(answered.entry);
    },
  };
}
