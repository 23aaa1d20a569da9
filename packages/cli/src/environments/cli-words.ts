// Fields of the API, and the options of commands that send them.
const words: readonly (readonly [RegExp, string])[] = [
  [/\bbump_type (major|minor|patch)\b/gu, "--bump $1"],
  [/\brequired_secret_envvars\b/gu, "--secret-env"],
  [/\brequired_envvars\b/gu, "--env"],
  [/\bPOST \/v1\/\{organization\}\/tool\/(\w+)\/envvar/gu, "haft tool env $1 set NAME=VALUE"],
  [/\b(?:query|body)\.(limit|creator|input|candidate|since|against|ignore|name)\b/gu, "--$1"],
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

/** Replaces the names of API fields in a message by the options that a person knows. */
export function toCliWords(text: string): string {
  const replaced = words.reduce((rest, [field, option]) => rest.replaceAll(field, option), text);
  return replaced.replaceAll(
    /\binputs\[(\d+)\]\.input_parameters\b/gu,
    (_match, index: string) => `input ${Number(index) + 1}`,
  );
}
