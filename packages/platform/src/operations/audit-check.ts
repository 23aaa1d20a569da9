import { type AuditLine, hashAuditLine } from "./audit-line.ts";

/** A line of a chain that was written down elsewhere. */
export interface AuditAnchor {
  readonly organization: string;
  readonly number: number;
  readonly hash: string;
  /** When it was written down. */
  readonly at: string;
}

/** What a check of an audit trail has found. */
export interface AuditReport {
  /** The number of lines in the chain. */
  readonly lines: number;
  /** The number of lines from before the chain began, which nothing protects. */
  readonly unchained: number;
  /** The number of anchors that the chain agrees with. */
  readonly anchors: number;
  /** The last line of the chain. */
  readonly last: { readonly number: number; readonly hash: string } | null;
  /** Sentences, at most 100. Empty if the trail is intact. */
  readonly problems: readonly string[];
}

/** Checks lines of one organization in their order. */
export interface AuditCheck {
  add(line: AuditLine): void;
  finish(): AuditReport;
}

const maxProblems = 100;

/** Creates a check of an organization's audit trail against anchors. */
export function createAuditCheck(anchors: readonly AuditAnchor[]): AuditCheck {
  const problems: string[] = [];
  const byNumber = Map.groupBy(anchors, ({ number }) => number);
  let last: { number: number; hash: string } | null = null;
  let [lines, unchained, agreeing] = [0, 0, 0];
  const tell = (problem: string): void => {
    if (problems.length < maxProblems) problems.push(problem);
  };

  const checkAnchors = (number: number, hash: string): void => {
    for (const anchor of byNumber.get(number) ?? []) {
      if (anchor.hash === hash) agreeing += 1;
      else tell(`Line ${number} is not the line that the anchor of ${anchor.at} names.`);
    }
  };

  return {
    add: (line) => {
      const { number } = line;
      if (number === null) {
        if (last === null) unchained += 1;
        else tell(`The line with the ID ${line.id} has no number. It was added outside Haft.`);
        return;
      }
      lines += 1;
      const expected = (last?.number ?? 0) + 1;
      if (number < expected) tell(`Line ${number} is there twice or not in its place.`);
      else if (number > expected) tell(describeMissing(expected, number - 1));
      else if (line.previous_hash !== (last?.hash ?? null)) {
        tell(`Line ${number} does not follow line ${number - 1}: one of them was replaced.`);
      }
      const hash = hashAuditLine(line);
      if (hash !== line.hash) tell(`Line ${number} was changed: its hash does not match.`);
      checkAnchors(number, hash);
      // What the line says of itself, so that one changed line is not reported again by the next.
      last = { number, hash: line.hash ?? hash };
    },
    finish: () => {
      const end = last?.number ?? 0;
      const [lost] = anchors
        .filter(({ number }) => number > end)
        .toSorted((one, other) => other.number - one.number);
      if (lost !== undefined) {
        tell(
          `${describeMissing(end + 1, lost.number)} The anchor of ${lost.at} names the last one.`,
        );
      }
      return { lines, unchained, anchors: agreeing, last, problems };
    },
  };
}

function describeMissing(first: number, last: number): string {
  return first === last ? `Line ${first} is missing.` : `Lines ${first} to ${last} are missing.`;
}

/** Parses lines of anchors. Lines that were cut off when they were written are left out. */
export function parseAuditAnchors(text: string): AuditAnchor[] {
  return text.split("\n").flatMap((line): AuditAnchor[] => {
    try {
      const { organization, number, hash, at } = JSON.parse(line) as Partial<AuditAnchor>;
      const isWhole =
        [organization, hash, at].every((each) => typeof each === "string") &&
        Number.isSafeInteger(number);
      return isWhole ? [{ organization, number, hash, at } as AuditAnchor] : [];
    } catch {
      return [];
    }
  });
}
