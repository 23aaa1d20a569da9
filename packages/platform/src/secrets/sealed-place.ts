// What is sealed is bound to its place. A rotation has to know every place there is.

/** The place of a tool's variable. */
export function toolVariablePlace(
  organization: string,
  toolId: string,
  name: string,
): readonly string[] {
  return ["tool-variable", organization, toolId, name];
}

/** The place of a user's variable. */
export function userVariablePlace(
  organization: string,
  userId: string,
  name: string,
): readonly string[] {
  return ["user-variable", organization, userId, name];
}

/** The place of an answer that is given again. */
export function idempotentAnswerPlace(organization: string, key: string): readonly string[] {
  return ["idempotent-answer", organization, key];
}

/** The place of a sealed setting of the installation. */
export function settingPlace(name: string): readonly string[] {
  return ["setting", name];
}
