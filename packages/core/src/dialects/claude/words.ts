import type { Words } from "../shared/words.ts";

/** This dialect's wording of advice in native texts. */
export const words: Words = {
  "job_output shows": "TaskOutput shows",
  "; job_stop stops": "; TaskStop stops",
  "use job_start": "set run_in_background",
  "job_start starts one": "Bash starts one with run_in_background",
  "Use write": "Use Write",
  "use write": "use Write",
  "web_fetch and repo_clone": "WebFetch",
};
