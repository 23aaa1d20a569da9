import type { JsonValue, Question } from "@haft/contract";
import type { QuestionFacts, WaitingFacts } from "../hosts/host.ts";
import { toCanonicalJson } from "../recorder/canonical-json.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";

/** Returns a call as it was sent, if another process could make it: it is no part of a program and has no secrets. */
export function toSentCall(
  { name, sent, program }: Call,
  { secrets }: Pick<CallContext, "secrets">,
): WaitingFacts["call"] {
  const hasSecrets = toCanonicalJson(secrets.hideInData(sent)) !== toCanonicalJson(sent);
  return hasSecrets || program !== undefined ? undefined : { name, arguments: sent };
}

/** Describes a call that asks a person, for an inbox. */
export function toQuestionFacts(
  call: Call,
  questions: readonly Question[],
  context: Pick<CallContext, "secrets" | "storage" | "dialect">,
): QuestionFacts {
  const { secrets, storage, dialect } = context;
  const { tool, name, args, program } = call;
  // What such a tool does besides asking can be done twice.
  const isRepeatable = tool.source === "builtin" && Object.keys(tool.requires).length === 0;
  const hide = <Data>(data: Data): Data =>
    secrets.hideInData(structuredClone(data) as JsonValue) as Data;
  return {
    ...{ session: storage.id, tool: tool.id, name, dialect: dialect.name },
    arguments: hide(args as JsonValue),
    questions: hide(questions),
    isNested: program !== undefined,
    call: isRepeatable ? toSentCall(call, context) : undefined,
  };
}
