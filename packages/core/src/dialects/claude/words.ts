import type { Words } from "../shared/words.ts";

/** The tools that native sentences advise. */
export const words: Words = {
  "use job_start": "set run_in_background",
  "job_start starts one": "Bash starts one with run_in_background",
  "Use write": "Use Write",
  "use write": "use Write",
  "web_fetch and repo_clone": "WebFetch",
};
