/** A command line and its working directory. */
export interface PlacedCommand {
  readonly command: string;
  readonly cwd?: string;
}

/**
 * Converts arguments as Amp's `Bash` does: removes a trailing `&`, because nothing stays in the
 * background, and makes the directory of `cd DIRECTORY && COMMAND` the working directory.
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

// Only literal words. Everything else is left to the shell.
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
