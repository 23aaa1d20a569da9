import type { Words } from "../shared/words.ts";

/** This dialect's wording of advice in native texts. */
export const words: Words = {
  "use job_start": "set is_background",
  "job_start starts one": "run_shell_command starts one with is_background",
  "Use write": "Use write_file",
  "use write": "use write_file",
  "web_fetch and repo_clone": "web_fetch",
  "set replace_all": "set allow_multiple",
};
