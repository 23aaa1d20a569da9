/** One setting of a git configuration. */
export interface GitSetting {
  /** Section and key in lower case, without the subsection: `remote.url`. */
  readonly name: string;
  readonly value: string;
}

/**
 * Parses a git configuration as git does: quotes, escapes, comments and continued lines. Where git
 * would fail, the rest of the line is skipped.
 */
export function parseGitConfig(content: string): readonly GitSetting[] {
  const text = content.replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n");
  const settings: GitSetting[] = [];
  let section = "";
  for (let at = 0; at < text.length; ) {
    const header = match(sectionHeader, text, at);
    if (header !== undefined) {
      section = (header[1] ?? "").toLowerCase();
      at += header[0].length;
      continue;
    }
    const key = match(settingKey, text, at);
    if (key !== undefined) {
      const { values, end } = readValue(text, at + key[0].length);
      const hasValue = key[0].endsWith("=");
      const name = `${section}.${(key[1] ?? "").toLowerCase()}`;
      settings.push(...(hasValue ? values : ["true"]).map((value) => ({ name, value })));
      at = hasValue ? end : at + key[0].length;
      continue;
    }
    at += match(/[\s\0]+|[#;][^\n]*|[^\n]*\n?/uy, text, at)?.[0].length || 1;
  }
  return settings;
}

// The older spelling `[section.subsection]` has its subsection dropped too.
const sectionHeader = /\[\s*([a-z\d-]+)(?:\.[^\]\s"]*)?(?:\s*"(?:[^"\\\n]|\\.)*")?\s*\]/iuy;
const settingKey = /([a-z][a-z\d-]*)[ \t]*(?:=|(?=[\n#;]|$))/iuy;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Reads a value. Git before 2.45 turned tabs between words into spaces: then there are two readings. */
function readValue(
  text: string,
  from: number,
): { readonly values: readonly string[]; readonly end: number } {
  let value = "";
  let spaced = "";
  /** The length of the value without trailing blanks. */
  let kept = 0;
  let isQuoted = false;
  let at = from;
  for (; at < text.length && text[at] !== "\n"; at++) {
    const character = text[at] as string;
    if (character === '"') {
      isQuoted = !isQuoted;
      kept = value.length;
    } else if (character === "\\") {
      at++;
      const escaped = text[at] ?? "";
      const added = escaped === "\n" ? "" : (escapes[escaped] ?? escaped);
      value += added;
      spaced += added;
      kept = value.length;
    } else if (!isQuoted && (character === "#" || character === ";")) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
      break;
    } else if (isQuoted || !/[ \t\r]/u.test(character)) {
      value += character;
      spaced += character;
      kept = value.length;
    } else if (value !== "") {
      value += character;
      spaced += " ";
    }
  }
  return { values: [...new Set([value, spaced].map((one) => one.slice(0, kept)))], end: at };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };
