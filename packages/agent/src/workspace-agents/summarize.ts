import type { SessionTracing } from "@haft/core";
import { tokensOfText } from "@haft/core/internal";
import { generateText } from "ai";
import type { Usage } from "../loop/agent-event.ts";
import { traceRequest } from "../loop/trace-agent.ts";
import { toUsage } from "../loop/usage.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import type { OpenModel } from "../models/open-model.ts";

interface SummaryOptions {
  readonly model: OpenModel;
  /** The agent that summarizes. Its prompt replaces the default one. */
  readonly manifest: AgentManifest | undefined;
  /** Receives the usage. */
  count(usage: Usage): void;
  readonly signal: AbortSignal;
  readonly tracing: SessionTracing | undefined;
}

const plainPrompt =
  "Summarize this conversation so that the work can continue from the summary alone.";

/** Asks a model for a summary of a conversation. */
export async function createSummary(
  text: string,
  { model, manifest, count, signal, tracing }: SummaryOptions,
): Promise<string> {
  const { text: summary, usage } = await traceRequest(tracing, {
    model,
    ask: () =>
      generateText({
        model: model.model,
        instructions: manifest?.prompt ?? plainPrompt,
        prompt: text,
        abortSignal: signal,
        // Without a summary the oldest messages are dropped, so it is not worth a long wait.
        maxRetries: 1,
      }),
    read: (answer) => ({
      text: answer.text,
      calls: [],
      finishReason: answer.finishReason,
      usage: answer.usage,
    }),
  });
  count(toUsage(usage, { input: tokensOfText(text), output: tokensOfText(summary) }, model.price));
  return summary;
}
