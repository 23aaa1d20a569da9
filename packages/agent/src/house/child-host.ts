import type { Host } from "@haft/core";

/** The parent's host for a subagent: whoever is asked sees who asks. */
export function createChildHost(parent: Host, agent: string): Host {
  return {
    headless: parent.headless,
    ask: (request) => parent.ask({ ...request, name: `${agent} › ${request.name}` }),
    question: (request) =>
      parent.question({
        ...request,
        questions: request.questions.map((question) => ({
          ...question,
          header: question.header ?? agent,
        })),
      }),
  };
}
