export {
  createSkillTool,
  type SkillArguments,
  type SkillData,
  type SkillToolOptions,
} from "./create-skill-tool.ts";
export { describeSkills } from "./describe-skills.ts";
export { type DiscoveredSkills, discoverSkills } from "./discover-skills.ts";
export type { SkillSearch } from "./find-skill-places.ts";
export { type LoadedSkill, loadSkill } from "./load-skill.ts";
export { requireSkills } from "./require-skills.ts";
export type { Skill, Skills } from "./skills.ts";
export { type SkillReport, validateSkill } from "./validate-skill.ts";
