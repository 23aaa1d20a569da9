import {
  answerQuestion,
  type InboxEntry,
  openSessionInbox,
  readCurrentText,
  readEditedRules,
  toInboxItem,
} from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { holdsPlaceholder } from "@haft/core/internal";
import { permissions } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import type { MachineService } from "../machine/machine-service.ts";
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
  /** Rules to store instead of the proposed ones, as lines. */
  readonly rules?: readonly string[];
}

/** Where the calls wait, and whose they are. */
export interface SessionItemsOptions {
  /** The state directory of the user who runs the server. */
  readonly stateDirectory: string;
  /** The data directory. Its `credentials.json` names the organization of this machine. */
  readonly directory: string;
  /** Judges calls with the rules that a person wrote. Default: only the proposed rules can be stored. */
  readonly machine?: Pick<MachineService, "checkCall"> | undefined;
}

/**
 * Shows the calls to administrators of this machine's own organization. Approving one runs it with the rights of the
 * user who runs the server, so no narrower permission is enough.
 */
export function createSessionItems(
  { audit }: Pick<PlatformParts, "audit">,
  { stateDirectory, directory, machine }: SessionItemsOptions,
): SessionItems {
  const inbox = openSessionInbox(stateDirectory);
  const mayAnswer = (principal: Principal): boolean =>
    permissions.every((permission) => principal.may(permission)) &&
    readCredentials(directory)?.organization === principal.organization;
  const require = (principal: Principal, id: string): InboxEntry => {
    const entry = mayAnswer(principal) ? inbox.find(id) : undefined;
    if (entry === undefined) throw new Problem(404, `There is no item ${id} in the inbox.`);
    return entry;
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
    find: (principal, id) => {
      const entry = mayAnswer(principal) ? inbox.find(id) : undefined;
      return entry && toWholeItem(entry);
    },
    answer: async (principal, id, { answer, reason, rules }) => {
      const entry = require(principal, id);
      if (rules !== undefined && entry.state === "waiting")
        await requireAllowing(entry, rules, machine);
      const by = principal.userId;
      const answered = answerQuestion(inbox, id, { answer, reason, rules, by, via: "HTTP" });
      if (answered.refused === "invalid") throw invalid("answer", answered.why);
      if (answered.refused !== undefined) throw new Problem(409, answered.why);
      await audit.recordAlone(principal, {
        action: "inbox.answer",
        target: id,
        detail: {
          ...{ kind: "approval", source: entry.question.session, tool: entry.question.tool },
          ...(rules !== undefined && { rules: [...rules] }),
        },
      });
      return toWholeItem(answered.entry);
    },
  };
}

function toWholeItem(entry: InboxEntry): InboxItem {
  const item = toInboxItem(entry);
  return { ...item, call: { ...item.call, current_text: readCurrentText(entry.question) } };
}

function invalid(member: string, msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body", member], msg, type: "value_error" }]);
}

/** Refuses rules that a person wrote if they are no rules, or if the call would need approval with them. */
async function requireAllowing(
  { question }: InboxEntry,
  rules: readonly string[],
  machine: SessionItemsOptions["machine"],
): Promise<void> {
  try {
    readEditedRules(question, rules);
  } catch (error) {
    throw invalid("rules", toErrorMessage(error));
  }
  if (machine === undefined) {
    throw new Problem(
      409,
      "This server can't check other rules. Store the proposed ones, or start it with --machine on.",
    );
  }
  const { workspace, session, tool, arguments: args, effects } = question;
  const name = session.slice(session.lastIndexOf("/") + 1);
  const checked = await machine
    .checkCall({ workspace, session: name, tool, arguments: args, rules })
    .catch((error: unknown) => {
      throw ToolError.isInstance(error) ? invalid("rules", error.message) : error;
    });
  // What a command has changed is judged by other rules, and a masked secret may be what a rule is about.
  if (effects !== undefined || holdsPlaceholder(args) || checked.action === "allow") return;
  throw invalid("rules", `With these rules this call would still not be allowed: ${checked.why}`);
}
