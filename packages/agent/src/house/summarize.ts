import { generateText } from "ai";
import type { Usage } from "../loop/agent-event.ts";
import { tokensOfText } from "../loop/token-estimate.ts";
import { toUsage } from "../loop/usage.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import type { OpenModel } from "../models/open-model.ts";

interface SummaryOptions {
  readonly model: OpenModel;
  /** Who sums up. */
  readonly manifest: AgentManifest | undefined;
  /** Is told what it used. */
  count(usage: Usage): void;
  readonly signal: AbortSignal;
}

const plainPrompt = "Sum up this conversation so that the work can go on from the summary alone.";

/** Has a model sum up what was said. */
export async function createSummary(
  text: string,
  { model, manifest, count, signal }: SummaryOptions,
): Promise<string> {
  const { text: summary, usage } = await generateText({
    model: model.model,
    instructions: manifest?.prompt ?? plainPrompt,
    prompt: text,
    abortSignal: signal,
    // Without a summary the oldest is left out: not worth waiting long for.
    maxRetries: 1,
  });
  count(toUsage(usage, { input: tokensOfText(text), output: tokensOfText(summary) }, model.price));
  return summary;
}
