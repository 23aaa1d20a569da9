import {
  answerQuestion,
  type InboxEntry,
  openSessionInbox,
  readCurrentText,
  readEditedRules,
  type SessionInbox,
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
import type { InboxItemRow } from "../store/schema.ts";
import type { Answerer } from "./answer-item.ts";
import type { FilledInboxQuery, InboxItem } from "./inbox-schemas.ts";

/** Calls of sessions on this machine that wait for a person. */
export interface SessionItems {
  list(principal: Principal, states: FilledInboxQuery["state"]): InboxItem[];
  /** Returns the item, or `undefined` if the caller has no such item. */
  find(principal: Principal, id: string): InboxItem | undefined;
  answer(principal: Principal, id: string, given: GivenAnswer): Promise<InboxItem>;
  /** Whether a caller may see and answer the calls. */
  isOpenTo(principal: Pick<Principal, "organization" | "may">): boolean;
  /** The organization whose administrators see the calls. `undefined` if there is none. */
  organization(): string | undefined;
  /** Finds an item for a link, which is checked elsewhere. `undefined` for another organization. */
  findRow(organization: string, id: string): InboxItemRow | undefined;
  /** Answers through a link. Throws a `Problem` 409 if the item has an answer. */
  answerByLink(answerer: Answerer, item: InboxItemRow, answer: unknown): Promise<void>;
  readonly inbox: Pick<SessionInbox, "ids" | "find">;
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
  const organization = (): string | undefined => readCredentials(directory)?.organization;
  const isOpenTo: SessionItems["isOpenTo"] = (principal) =>
    permissions.every((permission) => principal.may(permission)) &&
    organization() === principal.organization;
  const require = (principal: Principal, id: string): InboxEntry => {
    const entry = isOpenTo(principal) ? inbox.find(id) : undefined;
    if (entry === undefined) throw new Problem(404, `There is no item ${id} in the inbox.`);
    return entry;
  };
  const record = async (
    { answerer, id, via }: { answerer: Answerer; id: string; via: "HTTP" | "link" },
    given: GivenAnswer,
  ): Promise<InboxEntry> => {
    const answered = answerQuestion(inbox, id, { ...given, by: answerer.userId, via });
    if (answered.refused === "invalid") throw invalid("answer", answered.why);
    if (answered.refused !== undefined) throw new Problem(409, answered.why);
    const { kind, source, tool_name: tool } = toInboxItem(answered.entry);
    await audit.recordAlone(answerer, {
      action: "inbox.answer",
      target: id,
      detail: {
        ...{ kind, source: source.id, tool },
        ...(via === "link" && { via }),
        ...(given.rules !== undefined && { rules: [...given.rules] }),
      },
    });
    return answered.entry;
  };
  return {
    ...{ inbox, isOpenTo, organization },
    list: (principal, states) => {
      if (!isOpenTo(principal)) return [];
      const wanted = states.length === 0 ? ["waiting"] : states;
      return inbox
        .list()
        .map(toInboxItem)
        .filter(({ state }) => (wanted as readonly string[]).includes(state));
    },
    find: (principal, id) => {
      const entry = isOpenTo(principal) ? inbox.find(id) : undefined;
      return entry && toWholeItem(entry);
    },
    answer: async (principal, id, { answer, reason, rules }) => {
      const entry = require(principal, id);
      if (rules !== undefined && entry.state === "waiting") {
        await requireAllowing(entry, rules, machine);
      }
      const given = {
        answer,
        ...(reason !== undefined && { reason }),
        ...(rules !== undefined && { rules }),
      };
      return toWholeItem(await record({ answerer: principal, id, via: "HTTP" }, given));
    },
    findRow: (asking, id) => {
      const entry = asking === organization() ? inbox.find(id) : undefined;
      return entry && toRow(toInboxItem(entry), asking);
    },
    answerByLink: async (answerer, { id }, answer) => {
      await record({ answerer, id, via: "link" }, { answer });
    },
  };
}

/** Converts an item to the form of stored ones, which links and events read. */
export function toRow(item: InboxItem, organization: string): InboxItemRow {
  const { source, answered_at } = item;
  const toTime = (moment: string): number => Date.parse(moment);
  return {
    ...{ id: item.id, org_id: organization, kind: item.kind, state: item.state },
    ...{ source_type: source.type, source_id: source.id, position: 0 },
    ...{ tool_id: item.tool_id, tool_name: item.tool_name, tool_version: item.tool_version },
    ...{ arguments: JSON.stringify(item.arguments), question: item.question, detail: "{}" },
    ...{ schema: JSON.stringify(item.schema), answerers: null, user_id: item.user_id },
    ...{ created_at: toTime(item.created_at), deadline_at: toTime(item.deadline_at) },
    ...{ answered_at: answered_at === null ? null : toTime(answered_at) },
    ...{ answered_by: item.answered_by, answered_key_id: null, answer: "" },
    ...{ answered_via: item.answered_via, on_behalf_of: item.on_behalf_of },
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
