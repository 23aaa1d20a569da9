// Sealed text is bound to its context, so that a value copied to another row can't be opened there.
// `sealed-values.ts` lists every column that holds sealed text; a new context needs an entry there.

/** The context of a tool's variable. */
export function toolVariableContext(
  organization: string,
  toolId: string,
  name: string,
): readonly string[] {
  return ["tool-variable", organization, toolId, name];
}

/** The context of a user's variable. */
export function userVariableContext(
  organization: string,
  userId: string,
  name: string,
): readonly string[] {
  return ["user-variable", organization, userId, name];
}

/** The context of an answer stored under an idempotency key. */
export function idempotentAnswerContext(organization: string, key: string): readonly string[] {
  return ["idempotent-answer", organization, key];
}

/** The context of the request of an asynchronous invocation. */
export function asyncRequestContext(organization: string, id: string): readonly string[] {
  return ["async-request", organization, id];
}

/** The context of the result of a step of an invocation. */
export function stepResultContext(
  invocationId: string,
  position: number | string,
): readonly string[] {
  return ["step-result", invocationId, String(position)];
}

/** The context of the answer to an item of the inbox. */
export function inboxAnswerContext(organization: string, id: string): readonly string[] {
  return ["inbox-answer", organization, id];
}

/** The context of a webhook's secret: the current one, or the one before. */
export function webhookSecretContext(
  organization: string,
  id: string,
  which: "secret" | "previous_secret",
): readonly string[] {
  return [`webhook-${which}`, organization, id];
}

/** The context of the input of a schedule. */
export function scheduleInputContext(organization: string, id: string): readonly string[] {
  return ["schedule-input", organization, id];
}

/** The context of a sealed setting of the installation. */
export function settingContext(name: string): readonly string[] {
  return ["setting", name];
}
