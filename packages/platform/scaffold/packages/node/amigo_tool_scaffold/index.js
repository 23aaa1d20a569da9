const hidden = "•••";

/** Creates a call for testing a tool. */
export function createTestCall({
  toolInput,
  metadata,
  config = {},
  conversation = null,
  userVariables = {},
  sensitiveUserVariables = {},
  answers = [],
}) {
  const statusEvents = [];
  const questions = [];
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
    step: async (_name, work) => {
      const text = JSON.stringify(await work());
      return text === undefined ? undefined : JSON.parse(text);
    },
    sleep: async () => {},
    ask: async (question) => {
      questions.push(question);
      if (questions.length > answers.length) {
        throw new Error(`The test has no answer to the question: ${question.question}`);
      }
      const answer = answers[questions.length - 1];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    statusEvents,
    questions,
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
