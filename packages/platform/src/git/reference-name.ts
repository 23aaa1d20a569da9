const maxCharacters = 250;
// The rules of `git check-ref-format`: nothing with a meaning in a shell, a path or a revision.
const forbidden = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|(^|\/)\.|\.lock(\/|$)|[./]$|^[-/]|^@$/u;

/** Tells whether a text can be the name of a branch or tag. */
export function isReferenceName(text: string): boolean {
  return text !== "" && text.length <= maxCharacters && !forbidden.test(text);
}
