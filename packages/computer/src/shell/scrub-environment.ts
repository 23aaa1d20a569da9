/** An environment as programs get it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a program may know of this process's environment: nothing whose name tells of a secret, and
 * nothing that makes another program load code or configuration by the way.
 */
export function scrubEnvironment(environment: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !secret.test(name) && !steering.test(name)) kept[name] = value;
  }
  return kept;
}

const secret = /KEY|TOKEN|SECRET|PASS(?:WORD|WD|PHRASE)|CREDENTIAL|AUTH/iu;

const steering = new RegExp(
  [
    "^(?:GIT|LD|DYLD|HAFT)_",
    "^(?:BASH_ENV|ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|PS4)$",
    "^BASH_FUNC_",
    "^NODE_(?:OPTIONS|PATH|REPL_EXTERNAL_MODULE)$",
    "^PYTHON(?:STARTUP|PATH|HOME|INSPECT|USERBASE)$",
    "^(?:PERL5OPT|PERL5LIB|PERLLIB|RUBYOPT|RUBYLIB)$",
    "^_?JAVA_(?:TOOL_)?OPTIONS$|^JDK_JAVA_OPTIONS$",
  ].join("|"),
  "u",
);
