const mostCharacters = 250;
// As `git check-ref-format` has it: nothing that a shell, a path or a revision could take for more.
const forbidden = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|(^|\/)\.|\.lock(\/|$)|[./]$|^[-/]|^@$/u;

/** Whether a text can be the name of a branch or tag. */
export function isReferenceName(text: string): boolean {
  return text !== "" && text.length <= mostCharacters && !forbidden.test(text);
}
