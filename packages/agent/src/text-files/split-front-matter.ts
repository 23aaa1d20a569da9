/** The two halves of a file that begins with YAML between two `---` lines. */
export interface FrontMatterText {
  readonly yaml: string;
  /** Line number of the first line of `yaml` in the file, from 1. */
  readonly yamlLine: number;
  /** The text after the front matter. */
  readonly body: string;
}

/** Why a file can't be used, as the rest of a sentence about it. */
export interface FileFault {
  readonly fault: string;
}

/** Splits a Markdown file into front matter and body. Line ends become `\n`. */
export function splitFrontMatter(text: string): FrontMatterText | FileFault {
  const lines = text.replace(/^\uFEFF/u, "").replaceAll(/\r\n?/gu, "\n");
  const opened = /^\s*---[ \t]*(?:\n|$)/u.exec(lines)?.[0];
  if (opened === undefined) {
    return {
      fault:
        "has no front matter. Begin it with a line ---, then the fields, then a second line ---",
    };
  }
  const rest = lines.slice(opened.length);
  const closed = /^---[ \t]*(?:\n|$)/mu.exec(rest);
  if (closed === null) {
    return { fault: "has front matter without an end. Add a line --- below the last field" };
  }
  return {
    yaml: rest.slice(0, closed.index),
    yamlLine: opened.split("\n").length,
    body: rest.slice(closed.index + closed[0].length),
  };
}
