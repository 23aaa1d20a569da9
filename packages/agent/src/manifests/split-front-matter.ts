/** The two parts of a Markdown file that begins with YAML between two lines of hyphens. */
export interface FrontMatter {
  readonly yaml: string;
  /** What follows, without blank lines at both ends. */
  readonly body: string;
}

/** Takes a file apart; throws a `TypeError` without the file's name where it has no front matter. */
export function splitFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/u, "").split(/\r\n|\r|\n/u);
  if (!isFence(lines[0])) {
    throw new TypeError(
      "it has no front matter. Begin it with a line ---, the fields below, and a second line ---.",
    );
  }
  const end = lines.findIndex((line, at) => at > 0 && isFence(line));
  if (end === -1) {
    throw new TypeError("its front matter does not end. Put a line --- below the last field.");
  }
  return {
    yaml: lines.slice(1, end).join("\n"),
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}

function isFence(line: string | undefined): boolean {
  return line?.trimEnd() === "---";
}
