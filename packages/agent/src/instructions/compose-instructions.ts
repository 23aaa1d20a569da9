/** What a system prompt is made of. */
export interface InstructionParts {
  /** Who the agent is and what it does. */
  readonly prompt: string;
  /** Where it works. */
  readonly environment: string;
  /** What the project's files say. */
  readonly instructions?: string | undefined;
  /** Which skills there are. */
  readonly skills?: string | undefined;
}

/** The whole of a system prompt. What changes least comes first. */
export function composeInstructions(parts: InstructionParts): string {
  const { prompt, environment, instructions = "", skills = "" } = parts;
  const project = instructions.trim() === "" ? "" : `${heading}\n\n${instructions.trim()}`;
  return [prompt, skills, project, environment]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

const heading = [
  "# Project instructions",
  "",
  "People wrote these for whoever works here. Each holds for the directory that it is in and all below; where two disagree, the later one counts. What the user says in this conversation goes before all of them.",
].join("\n");
