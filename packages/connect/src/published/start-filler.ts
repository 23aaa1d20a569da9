import type { Runtime } from "@haft/contract";
import type { ToolCallSpec } from "./tool-call-spec.ts";

let next = 0;

/** Has words said once if a call takes long. Returns what keeps them from being said. */
export function startFiller(
  spec: ToolCallSpec,
  { progress }: Pick<Runtime, "progress">,
): () => void {
  const { audio_fillers: fillers = [], audio_filler_triggered_after: seconds = 0 } = spec;
  if (fillers.length === 0) return () => {};
  const timer = setTimeout(() => {
    // Not always the same words.
    const filler = fillers[next++ % fillers.length] as string;
    progress({ filler });
  }, seconds * 1_000);
  return () => clearTimeout(timer);
}
