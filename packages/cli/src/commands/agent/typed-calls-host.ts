import type { Host } from "@haft/core";

/** A host that does not ask about calls which the person typed themselves; denials still hold. */
export function createTypedCallsHost(host: Host, typed: ReadonlySet<string>): Host {
  return {
    headless: host.headless,
    ask: async (request) => (typed.has(request.callId) ? { answer: "once" } : host.ask(request)),
    question: (request) => host.question(request),
  };
}
