import { describeGuidance } from "./describe-guidance.ts";

/** What `write` did, in sentences. */
export function describeWriting(data: unknown): string {
  const { path, created, bytes, guidance } = data as WriteData;
  const done = `${created ? "Created" : "Replaced"} ${path} (${bytes} bytes).`;
  return [done, ...describeGuidance(guidance)].join("\n");
}

interface WriteData {
  readonly path: string;
  readonly created: boolean;
  readonly bytes: number;
  readonly guidance?: readonly string[];
}
