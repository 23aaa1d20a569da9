import { clipText } from "@haft/contract/internal";
import type { Secrets } from "../secrets/secrets.ts";
import type { Tracing } from "./tracing.ts";

/** The tracing of a session, for agents and servers that work with the session. */
export interface SessionTracing extends Pick<Tracing, "startSpan"> {
  /**
   * Returns data as text for an attribute, as JSON if it is no text, with secrets replaced and cut at a
   * limit. Returns `undefined` unless spans contain content.
   */
  toContent(data: unknown): string | undefined;
}

const maxContentLength = 16_384;

/** Creates the tracing of a session that has these secrets. */
export function createSessionTracing(tracing: Tracing, secrets: Secrets): SessionTracing {
  return {
    startSpan: (name, start) => tracing.startSpan(name, start),
    toContent: (data) => {
      if (tracing.hasContent !== true) return undefined;
      const hidden = secrets.hideInData(data);
      const text = typeof hidden === "string" ? hidden : JSON.stringify(hidden);
      return text === undefined ? undefined : clipText(text, maxContentLength);
    },
  };
}
