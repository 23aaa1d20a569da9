const shells = /^(?:.*\/)?(?:ba|z|da|k)?sh$/u;

/** Converts a command that may be a list of words to one line of bash. */
export function toCommandLine(command: string | readonly string[]): string {
  if (typeof command === "string") return command;
  return scriptOf(command) ?? command.map(quote).join(" ");
}

/** Returns the script of a command such as `bash -lc SCRIPT`. */
function scriptOf([program = "", flags = "", script, ...rest]: readonly string[]):
  | string
  | undefined {
  const isShell = shells.test(program) && /^-[a-z]*c$/u.test(flags);
  return isShell && rest.length === 0 && script?.trim() ? script : undefined;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
