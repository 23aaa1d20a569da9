import { stripVTControlCharacters } from "node:util";

/** Returns whether an unfinished line asks a person for something. */
export function looksLikePrompt(line: string): boolean {
  const plain = stripVTControlCharacters(line)
    .replace(/\p{Cc}/gu, "")
    .trimEnd();
  return plain !== "" && prompts.some((pattern) => pattern.test(plain));
}

// Each is tried on a line without colours and trailing blanks.
const prompts: readonly RegExp[] = [
  // Secrets and names: `Password:`, `Enter passphrase for key '/x':`, `login:`, `Username for 'https://x':`
  /\b(?:password|passphrase|passcode|verification code)\b[^:]*:$/iu,
  /\b(?:enter|paste|type|give|your)\b[^:]*\b(?:pin|otp|token|secret|api key|code)\b[^:]*:$/iu,
  /\b(?:login|user ?name|username for .*|e-?mail(?: address)?)\s*:$/iu,
  // Yes or no: `[y/N]`, `(yes/no/[fingerprint])?`, `Proceed (Y/n)?`, `[Y/n/q]:`
  /[([](?:y|n|yes|no)(?:\/(?:\[?\w+\]?|\?))+[)\]]\s*[:?]?$/iu,
  /\((?:y|n|yes|no)(?: or | ?\| ?)(?:y|n|yes|no)\)\s*[:?]?$/iu,
  // Questions: `Continue?`, `Are you sure you want to continue?`, `Is this OK? (yes)`
  /\b(?:continue|proceed|overwrite|replace|confirm|is this (?:ok|correct)|are you sure|do you (?:want|wish)|would you like|ok to|shall i)\b[^?]*\?\s*(?:\(\w+\))?:?$/iu,
  // Keys: `Press any key to continue . . .`, `Hit ENTER`, `--More--`, `(END)`
  /(?:^|[.!:(] *)(?:please )?(?:press|hit)\b.*\b(?:any key|enter|return|space|q)\b/iu,
  /^-{2}\s*more\s*-{2}(?:\s*\(\d+%\))?$|^\(END\)$|^:$/iu,
  // Choices: `Select an option:`, `Enter a value:`, `#? `, `Your choice [1]:`
  /^\W*(?:please )?(?:select|choose|enter|input|type|pick|your choice)\b[^:?]*[:?]$/iu,
  /^#\?$|^\? .*[›»…?:]$/u,
  // Prompts of interactive programs: `>>>`, `(gdb)`, `mysql>`, `sqlite>`, `irb(main):001:0>`, `ftp>`
  /^(?:>{1,3}|\.{3}|\((?:gdb|lldb|Pdb|pry|rdb:\d+)\)|(?:In )?\[\d+\]:|[a-z][\w-]*(?:\[\S*\]|\(\S*\))?(?::\d+)*(?:=[#>]|[>*]))$/iu,
];
