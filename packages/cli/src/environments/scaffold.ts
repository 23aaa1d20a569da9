/** Which scaffold. */
export interface ScaffoldChoice {
  readonly name: string;
  readonly runtime: "node" | "python";
}

/** The files of a new tool's project, by their paths. */
export async function readScaffold(
  choice: ScaffoldChoice,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const platform = await import("@haft/platform");
  return platform.readScaffold(choice);
}
