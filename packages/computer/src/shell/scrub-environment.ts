/** An environment as programs get it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a program may know of this process's environment: nothing that tells of a secret, and nothing
 * that makes another program load code or configuration by the way, except what a person passes by
 * name.
 */
export function scrubEnvironment(
  environment: Environment,
  passed: readonly string[] = [],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const isHarmless = !secret.test(name) && !steering.test(name) && !secretValue.test(value);
    if (isHarmless || passed.includes(name)) kept[name] = value;
  }
  return kept;
}

const secret =
  /KEY|TOKEN|SECRET|PASS(?:WORD|WD|PHRASE|CODE)|(?:^|_)PASS(?:_|$)|_PWD?$|CREDENTIAL|AUTH|COOKIE|PRIVATE|DSN$/iu;

// `https://user:password@host`, as databases and proxies have them.
const secretValue = /:\/\/[^/@\s:]*:[^/@\s]+@/u;

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
