import { generateText } from "ai";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import type { OpenModel } from "../models/open-model.ts";

interface SummaryOptions {
  readonly model: OpenModel;
  /** Who sums up. */
  readonly manifest: AgentManifest | undefined;
  readonly signal: AbortSignal;
}

const plainPrompt = "Sum up this conversation so that the work can go on from the summary alone.";

/** Has a model sum up what was said. */
export async function createSummary(
  text: string,
  { model, manifest, signal }: SummaryOptions,
): Promise<string> {
  const { text: summary } = await generateText({
    model: model.model,
    instructions: manifest?.prompt ?? plainPrompt,
    prompt: text,
    abortSignal: signal,
    // Without a summary the oldest is left out: not worth waiting long for.
    maxRetries: 1,
  });
  return summary;
}
