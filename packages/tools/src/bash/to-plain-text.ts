/**
 * Converts terminal output to text: removes colors and other escape sequences, keeps the final
 * state of lines that a progress bar overwrote, and makes control characters visible.
 */
export function toPlainText(printed: string): string {
  if (!anyControl.test(printed)) return printed;
  const plain = printed.replaceAll(sequences, "");
  const settled = plain.includes("\r") ? plain.split("\n").map(settle).join("\n") : plain;
  return settled.replaceAll(controls, show);
}

const introducer = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);

const anyControl = /[^\P{Cc}\n\t]/u;
const controls = /[^\P{Cc}\n\t]/gu;

// A sequence that never ends is kept: removing it would remove the rest of the text.
const sequences = new RegExp(
  [
    // Colors and cursor movement.
    String.raw`${introducer}\[[0-?]*[ -/]*[@-~]`,
    // Titles, links and other sequences with text.
    String.raw`${introducer}\][^${bell}${introducer}\n]*(?:${bell}|${introducer}\\)`,
    String.raw`${introducer}[PX^_][^${introducer}\n]*${introducer}\\`,
    // Character sets and other short sequences.
    `${introducer}[ -/]+[0-~]`,
    `${introducer}[=>78cDEHMNOZ]`,
  ].join("|"),
  "gu",
);

// A carriage return moves to the start of the line, and the following text overwrites it.
function settle(line: string): string {
  const states = line.split("\r");
  return states.findLast((state) => state !== "") ?? "";
}

function show(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
