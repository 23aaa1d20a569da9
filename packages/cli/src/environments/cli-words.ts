// Fields of the API, and the options of commands that send them.
const words: readonly (readonly [RegExp, string])[] = [
  [/\bbump_type (major|minor|patch)\b/gu, "--bump $1"],
  [/\brequired_secret_envvars\b/gu, "--secret-env"],
  [/\brequired_envvars\b/gu, "--env"],
  [/\bPOST \/v1\/\{organization\}\/tool\/(\w+)\/envvar/gu, "haft tool env $1 set NAME=VALUE"],
  [/\b(?:query|body)\.(limit|creator|input|candidate|since|against|ignore)\b/gu, "--$1"],
  [/\bbody\.tags\.[^:]*/gu, "--tag"],
  [/\b(?:query|body)\.(description|id|tag|client|overlap|missed)s?(?:\.\d+)?\b/gu, "--$1"],
  [/\bbody\.tools\.\d+(?:\.\w+)?/gu, "--tool"],
  [/\bbody\.inputs\.\d+\.nonsensitive_user_variables\.([^:]*)/gu, "--user-variable $1"],
  [/\bbody\.inputs\.\d+\.sensitive_user_variables\.([^:]*)/gu, "--sensitive-user-variable $1"],
  [/\bquery\.query\b/gu, "--search"],
  [/\bquery\.api_key(?:\.\d+)?\b/gu, "--key"],
  [/\bquery\.user_id(?:\.\d+)?\b/gu, "--user"],
  [/\bbody\.time_zone\b/gu, "--time-zone"],
  [/\bbody\.permissions(?:\.\d+)?\b/gu, "--permission"],
  [/\bbody\.(cron|name)\b/gu, "$1"],
  [/\bpath\.schedule_id\b/gu, "schedule"],
  [/\bpath\.(?:invocation|item)_id\b/gu, "ID"],
  [/^(duration|grace) must/gu, "--$1 must"],
  [/\bThe Idempotency-Key\b/gu, "--idempotency-key"],
  [/\bInsert it first\b/gu, "Set it first"],
  [/\b(?:query|body)\.(?:versions|version_constraint)\b/gu, "--constraint"],
  [/\bpath\.(versions?)\b/gu, "--$1"],
  [/\bbody\.(bump)_type\b/gu, "--$1"],
  [/\bbody\.project_path\b/gu, "--path"],
  [/\bbody\.abort_if\b/gu, "--abort-if"],
  [/\bbody\.answer\b/gu, "ANSWER"],
  [/\bbody\.url\b/gu, "URL"],
  [/\bbody\.webhook\b/gu, "--webhook"],
  [/\bbody\.(event|tag|tool)s\b/gu, "--$1"],
  [/\bbody\.delivery_ids\b/gu, "DELIVERY"],
  [/\bquery\.sort_by\b/gu, "--sort"],
  [/\bquery\.continuation_token\b/gu, "--token"],
];

// What a pattern in a message means.
const patterns: readonly (readonly [string, string])[] = [
  ["^[a-f0-9]{24}$", "an ID, which has 24 hexadecimal digits"],
  ["^[a-z0-9][a-z0-9_-]{0,63}$", "up to 64 lowercase letters, digits, - and _"],
  ["^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,63}$", "up to 64 letters, digits, - and _"],
  ["^(?![a-f0-9]{24}$)[a-zA-Z0-9_][a-zA-Z0-9_-]{0,63}$", "up to 64 letters, digits, - and _"],
  ["^[a-z_][a-z0-9_]+$", "lowercase letters, digits and _"],
  ["^\\s*\\w[\\w\\s]*$", "letters, digits, _ and spaces"],
  ["^\\s*[^\\s\\u0000][^\\u0000]*$", "text that is not blank"],
];

/** Replaces the names of API fields in a message by the options that a person knows. */
export function toCliWords(text: string): string {
  const plain = patterns.reduce(
    (rest, [pattern, meaning]) => rest.replaceAll(`text that matches ${pattern}`, meaning),
    text,
  );
  const replaced = words.reduce((rest, [field, option]) => rest.replaceAll(field, option), plain);
  return replaced.replaceAll(
    /\binputs\[(\d+)\]\.input_parameters\b/gu,
    (_match, index: string) => `input ${Number(index) + 1}`,
  );
}
