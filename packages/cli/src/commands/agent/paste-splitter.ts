/** Input from a terminal: keys, or pasted text. */
export type TypedPart =
  | { readonly type: "keys"; readonly text: string }
  | { readonly type: "paste"; readonly text: string };

const begin = "\u001b[200~";
const end = "\u001b[201~";

/** Creates a splitter that separates pasted text from keys, using bracketed paste. */
export function createPasteSplitter(): (chunk: string) => TypedPart[] {
  let held = "";
  let pasted: string | undefined;
  return (chunk) => {
    const parts: TypedPart[] = [];
    let rest = held + chunk;
    held = "";
    while (rest !== "") {
      const mark: string = pasted === undefined ? begin : end;
      const at = rest.indexOf(mark);
      // A mark may arrive in two pieces; a lone escape is a key.
      const kept = at === -1 ? overlapOf(rest, mark) : 0;
      const text = at === -1 ? rest.slice(0, rest.length - kept) : rest.slice(0, at);
      held = at === -1 ? rest.slice(rest.length - kept) : "";
      rest = at === -1 ? "" : rest.slice(at + mark.length);
      if (pasted === undefined) {
        if (text !== "") parts.push({ type: "keys", text });
        if (at !== -1) pasted = "";
      } else {
        pasted += text;
        if (at !== -1) {
          parts.push({ type: "paste", text: pasted.replaceAll(/\r\n?/gu, "\n") });
          pasted = undefined;
        }
      }
    }
    return parts;
  };
}

function overlapOf(text: string, mark: string): number {
  const least = mark === begin ? 2 : 1;
  for (let length = mark.length - 1; length >= least; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
