/** A command line, and the directory it is to start in. */
export interface PlacedCommand {
  readonly command: string;
  readonly cwd?: string;
}

/**
 * What Amp's `Bash` makes of its arguments: `&` at the end goes, because nothing stays in the
 * background, and the directory of `cd DIRECTORY && COMMAND` becomes the one to start in.
 */
export function liftDirectory(cmd: string, cwd: string | undefined): PlacedCommand {
  const command = cmd.trimEnd().replace(/&+$/u, "").trim();
  const found = leadingChange.exec(command)?.groups;
  const directory = found?.single ?? found?.double ?? found?.plain;
  const rest = found?.rest?.trim();
  if (directory === undefined || rest === undefined || rest === "") {
    return cwd === undefined ? { command } : { command, cwd };
  }
  return { command: rest, cwd: joinPaths(cwd, directory) };
}

// Only what the shell, too, would take for one literal word: the rest is better left to the shell.
const word = String.raw`[\p{L}\p{N}_./@%+:,][\p{L}\p{N}_./@%+:,=-]*`;
const leadingChange = new RegExp(
  [
    String.raw`^cd[ \t]+(?:`,
    String.raw`'(?<single>(?![-~])[^'\n]+)'|"(?<double>(?![-~])[^"$\x60\\!\n]+)"|`,
    `(?<plain>${word}|~(?:/(?:${word})?)?)`,
    String.raw`)[ \t]*&&(?<rest>[^]+)$`,
  ].join(""),
  "u",
);

function joinPaths(base: string | undefined, path: string): string {
  if (base === undefined || base === "" || /^[/~]/u.test(path)) return path;
  return base.endsWith("/") ? `${base}${path}` : `${base}/${path}`;
}
