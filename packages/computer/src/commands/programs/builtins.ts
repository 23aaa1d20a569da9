import type { ProgramTable } from "./program-table.ts";

/** What the shell does itself. Anything that changes how it reads what follows is a doubt. */
export const builtins: ProgramTable = {
  ":|true|false|echo|pwd|times|dirs|caller|help|exit|return|break|continue|logout": "reads any",
  type: "reads any",
  printf: "reads any | doubts -v:",
  wait: "reads | -fn | doubts -p:",
  "test|[": "reads any test",
  "[[": "reads any",
  "cd|pushd|popd": "reads any",
  eval: "runs doubt",
  "source|.": "runs doubt script",
  // With a command they are taken off.
  exec: "runs doubt",
  "command|builtin": "reads any",
  "trap|alias|bind|complete|compgen|compopt|enable|hash|fc|history": "runs doubt",
  "unalias|set|shopt|declare|typeset|local|export|readonly|unset|read|readarray|mapfile":
    "runs doubt",
  "getopts|let|shift|ulimit|umask|kill|jobs|bg|fg|disown|suspend": "runs doubt",
};
