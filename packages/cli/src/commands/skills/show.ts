import { loadSkill } from "@haft/agent/internal/skills";
import { nearestNames, toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { findSkills } from "./find-skills.ts";

/** `haft skills show`: what an agent reads when it loads a skill. */
export async function showSkill(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const found = findSkills(input, io);
  const skill = found.get(name);
  const waiting = found.untrusted.find((one) => one.name === name);
  if (skill === undefined && waiting !== undefined) {
    throw new UsageError(
      `The skill in ${waiting.path} is not trusted yet. Review it with: haft trust`,
    );
  }
  if (skill === undefined) {
    const near = nearestNames(
      name,
      found.list().map((one) => one.name),
    );
    const hint =
      near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "`haft skills` lists the skills.";
    throw new UsageError(`There is no skill ${JSON.stringify(name)}. ${hint}`);
  }
  const { content, files } = loadSkill(skill);
  if (input.options.json === true) printJson({ ...skill, files, content }, io);
  else io.out(`${io.outputIsTerminal ? toVisibleText(content) : content}\n`);
  return 0;
}
