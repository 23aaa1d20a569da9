// For Haft's own packages. Unsupported: it changes without notice.
export {
  createSkillTool,
  type SkillArguments,
  type SkillData,
  type SkillToolOptions,
} from "./create-skill-tool.ts";
export { describeSkills } from "./describe-skills.ts";
export { type DiscoveredSkills, discoverSkills } from "./discover-skills.ts";
export { type LoadedSkill, loadSkill } from "./load-skill.ts";
export { requireSkills } from "./require-skills.ts";
export type { SkillSearch } from "./skill-directories.ts";
export type { Skill, Skills } from "./skills.ts";
export { type SkillReport, validateSkill } from "./validate-skill.ts";
