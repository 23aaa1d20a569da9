/** What `write` did, in sentences. */
export function describeWriting(data: unknown): string {
  const { path, created, bytes, guidance = [] } = data as WriteData;
  const done = `${created ? "Created" : "Replaced"} ${path} (${bytes} bytes).`;
  if (guidance.length === 0) return done;
  return `${done}\nInstructions for this place are in:\n${guidance.join("\n")}`;
}

interface WriteData {
  readonly path: string;
  readonly created: boolean;
  readonly bytes: number;
  readonly guidance?: readonly string[];
}
