/**
 * What a program printed, as text: colours and other sequences for a terminal are taken out, lines
 * that a progress bar wrote over are as they were in the end, and control characters are shown.
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

// One that never ends is not taken out, or it would take the rest of the text with it.
const sequences = new RegExp(
  [
    // Colours, and where the cursor goes.
    String.raw`${introducer}\[[0-?]*[ -/]*[@-~]`,
    // Titles and links, and what else has a text of its own.
    String.raw`${introducer}\][^${bell}${introducer}\n]*(?:${bell}|${introducer}\\)`,
    String.raw`${introducer}[PX^_][^${introducer}\n]*${introducer}\\`,
    // Character sets and other short ones.
    `${introducer}[ -/]+[0-~]`,
    `${introducer}[=>78cDEHMNOZ]`,
  ].join("|"),
  "gu",
);

// A carriage return goes back to the start of the line, and what follows is written over it.
function settle(line: string): string {
  const states = line.split("\r");
  return states.findLast((state) => state !== "") ?? "";
}

function show(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
