const hidden = "•••";

/** Creates a call for testing a tool. */
export function createTestCall({
  toolInput,
  metadata,
  config = {},
  conversation = null,
  userVariables = {},
  sensitiveUserVariables = {},
}) {
  const statusEvents = [];
  return {
    toolInput,
    metadata: {
      invocationMode: "regular",
      toolVersion: "0.0.0",
      invocationId: "0".repeat(24),
      ...metadata,
    },
    config: Object.freeze({ ...config }),
    conversation,
    sendStatusEvent: (event) => void statusEvents.push(event),
    userVariables: createUserVariables(userVariables, sensitiveUserVariables),
    statusEvents,
  };
}

/** Creates the variables of a user. Printing them never shows a sensitive value. */
export function createUserVariables(plain = {}, sensitive = {}) {
  const values = new Map(Object.entries({ ...plain, ...sensitive }));
  const shown = { ...plain };
  for (const name of Object.keys(sensitive)) shown[name] = hidden;
  const show = () => `UserVariables ${JSON.stringify(shown)}`;
  return Object.freeze({
    get: (name) => values.get(name),
    has: (name) => values.has(name),
    keys: () => [...values.keys()],
    toString: show,
    toJSON: () => ({ ...shown }),
    [Symbol.for("nodejs.util.inspect.custom")]: show,
  });
}
