/** The part of a private key that must not be shown. */
export interface KeyBody {
  readonly start: number;
  readonly end: number;
  /** The text ended before the body surely did. */
  readonly isOpen: boolean;
  /** If it did so within a line: how many characters of that there are. */
  readonly inLine: number;
}

/** How far a body was followed already. */
export interface KeyProgress {
  /** Nothing follows the text. */
  readonly isWhole: boolean;
  /** A line of the body went before. */
  readonly isInside: boolean;
  /** How many characters of the present line went before. */
  readonly inLine: number;
}

/** The bodies of the private keys whose head lines stand in a text. */
export function findKeyBodies(text: string, isWhole: boolean): KeyBody[] {
  const bodies: KeyBody[] = [];
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    headLine.lastIndex = at - dashes;
    const head = at < dashes ? null : headLine.exec(text);
    if (head === null) continue;
    const start = findBody(text, headLine.lastIndex, isWhole);
    if (start === undefined) continue;
    const body = followKeyBody(text, start, { isWhole, isInside: false, inLine: 0 });
    if (body.end > start || body.isOpen) bodies.push(body);
  }
  return bodies;
}

/**
 * Follows a body from inside it to its end: lines of base64, whatever stands between them, be it
 * quotes, escapes or line numbers. A short line is the last.
 */
export function followKeyBody(
  text: string,
  start: number,
  { isWhole, isInside, inLine }: KeyProgress,
): KeyBody {
  let end = start;
  if (inLine > 0) {
    end = endOfLine(text, start);
    const seen = inLine + end - start;
    if (end === text.length) return { start, end, isOpen: !isWhole, inLine: seen };
  }
  for (;;) {
    const next = skipBetween(text, end);
    if (next === undefined) return { start, end, isOpen: false, inLine: 0 };
    if (next === text.length || (!isWhole && text.length - next < lookAhead)) {
      return { start, end, isOpen: !isWhole, inLine: 0 };
    }
    const lineEnd = endOfLine(text, next);
    const isLong = lineEnd - next >= minLineLength;
    if (lineEnd === text.length && !isWhole) {
      return {
        start,
        end: isLong ? lineEnd : end,
        isOpen: true,
        inLine: isLong ? lineEnd - next : 0,
      };
    }
    if (isLong) {
      end = lineEnd;
      continue;
    }
    if (!isWhole && text.length - lineEnd < lookAhead) {
      return { start, end, isOpen: true, inLine: 0 };
    }
    // Before the first whole line a short one is somebody's word.
    const isLast =
      (isInside || end > start) && afterLine.test(text.slice(lineEnd, lineEnd + lookAhead));
    return { start, end: isLast ? lineEnd : end, isOpen: false, inLine: 0 };
  }
}

const mark = "BEGIN ";
const dashes = 5;
const minLineLength = 40;
const maxGap = 64;
const maxHeadLength = 300;
const lookAhead = 12;
const headLine = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/uy;
const beforeBody =
  /(?:\s|\\[nr]|["'+,\\]){0,64}(?:[A-Za-z-]{3,20}: [^\n\\]{0,120}(?:\r?\n|(?:\\r)?\\n)\s{0,16}){0,6}/uy;
const afterLine = /^(?:$|\s*(?:\n|$)|\\[nr]|["'`]|\s*-----END)/u;
const lineNumber = /\d{1,7}(?=[:\t|→-]| {1,2}[^ ])/uy;

function findBody(text: string, afterHead: number, isWhole: boolean): number | undefined {
  beforeBody.lastIndex = afterHead;
  beforeBody.exec(text);
  const start = beforeBody.lastIndex;
  if (start - afterHead > maxHeadLength) return undefined;
  const line = skipBetween(text, start);
  return line === undefined || (!isWhole && text.length - line < lookAhead) ? start : line;
}

function endOfLine(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBase64(text.charCodeAt(at))) at++;
  return at;
}

/** Where the next line begins: at the text's end if none does; `undefined` if the body is over. */
function skipBetween(text: string, from: number): number | undefined {
  let at = from;
  while (at < text.length) {
    if (at - from > maxGap || text.startsWith("-----END", at)) return undefined;
    const code = text.charCodeAt(at);
    if (!isBase64(code)) {
      const isEscape = code === 92 && /[nr]/u.test(text.charAt(at + 1));
      at += isEscape ? 2 : 1;
      continue;
    }
    lineNumber.lastIndex = at;
    if (lineNumber.test(text)) at = lineNumber.lastIndex;
    else if (/[+/=]/u.test(text.charAt(at)) && !isBase64(text.charCodeAt(at + 1))) at++;
    else return at;
  }
  return at;
}

function isBase64(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 61
  );
}
