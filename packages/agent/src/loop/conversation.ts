import type { ModelMessage, UserModelMessage } from "ai";
import { toEntryText } from "../threads/entry-text.ts";
import type { ThreadEntry } from "../threads/thread.ts";
import {
  addResult,
  dropPieceFiles,
  endPiece,
  type Piece,
  type Said,
  shortenPiece,
  toMessages,
  toSaid,
  toStep,
} from "./piece.ts";
import { toNoticeMessage, toSummaryMessage, toUserMessage } from "./to-messages.ts";

/**
 * What a model is sent of a thread. It grows with the thread, and what was made of an entry once is not
 * made again; what gets too much can be shortened or left out here, while the thread keeps it.
 */
export interface Conversation {
  /** About how many tokens the messages have. */
  readonly tokens: number;
  /** How many entries it stands for. */
  readonly entries: number;
  /** What a person said last, in words. */
  readonly request: string;
  add(entry: ThreadEntry): void;
  /** Tells the model something that the thread does not keep. */
  tell(message: UserModelMessage): void;
  /** Oldest first. The array grows from request to request. */
  messages(): readonly ModelMessage[];
  /** The summary if there is one, and everything after it. */
  pieces(): readonly Piece[];
  /** Files of what was said in this turn, which a summary can't hold. */
  files(): UserModelMessage | undefined;
  /** Shows no files any more; whether there were any. */
  dropFiles(): boolean;
  /** Shortens long results of the turns before this one. */
  shortenOldTurns(): void;
  /** Shortens long results of this turn too, but for the latest. */
  shortenThisTurn(): void;
  /** Leaves out the oldest turns until about so many tokens are left; this turn stays. How many went. */
  dropTurns(tokens: number): number;
  /** Leaves out the oldest steps of this turn until about so many tokens are left. How many went. */
  dropSteps(tokens: number): number;
}

/** Starts with nothing said. */
export function createConversation(): Conversation {
  let summary: Said | undefined;
  let turns: Turn[] = [];
  let entries = 0;
  let request = "";
  let tokens = 0;
  let sent: ModelMessage[] = [];
  // Pieces that are not among the messages yet.
  let waiting: Piece[] = [];
  // Whether the messages no longer are what the pieces are.
  let isStale = false;

  const allPieces = (): Piece[] => [
    ...(summary === undefined ? [] : [summary]),
    ...turns.flatMap(({ pieces }) => pieces),
  ];
  const replace = (turn: Turn, pieces: Piece[]): void => {
    if (
      pieces.length === turn.pieces.length &&
      pieces.every((one, at) => one === turn.pieces[at])
    ) {
      return;
    }
    tokens += sumTokens(pieces) - sumTokens(turn.pieces);
    turn.pieces = pieces;
    isStale = true;
  };
  const currentTurn = (): Turn => {
    const last = turns.at(-1);
    if (last !== undefined && !last.isOver) return last;
    const turn: Turn = { pieces: [], isOver: false };
    turns.push(turn);
    return turn;
  };
  const push = (piece: Piece): void => {
    currentTurn().pieces.push(piece);
    waiting.push(piece);
    tokens += piece.tokens;
  };
  const endTurn = (): void => {
    const last = turns.at(-1);
    if (last === undefined || last.isOver) return;
    last.isOver = true;
    replace(last, last.pieces.map(endPiece));
  };
  const takeResult = (result: Extract<ThreadEntry, { readonly kind: "result" }>): void => {
    const pieces = turns.at(-1)?.pieces;
    const step = pieces?.at(-1);
    if (pieces === undefined || step?.kind !== "step") return;
    const grown = addResult(step, result);
    if (grown === step) return;
    pieces[pieces.length - 1] = grown;
    tokens += grown.tokens - step.tokens;
    if (waiting.at(-1) === step) waiting[waiting.length - 1] = grown;
  };

  return {
    get tokens() {
      return tokens;
    },
    get entries() {
      return entries;
    },
    get request() {
      return request;
    },
    add: (entry) => {
      entries++;
      switch (entry.kind) {
        case "user":
          // Notices right before what a person says belong to the turn that it begins.
          if (turns.at(-1)?.pieces.some(({ kind }) => kind === "step")) endTurn();
          push(toSaid(toUserMessage(entry.content)));
          request = toEntryText(entry);
          break;
        case "notice":
          push(toSaid(toNoticeMessage(entry.text)));
          break;
        case "assistant":
          push(toStep(entry));
          break;
        case "result":
          takeResult(entry);
          break;
        case "summary":
          summary = toSaid(toSummaryMessage(entry.text));
          turns = [];
          entries = 1;
          tokens = summary.tokens;
          isStale = true;
          break;
        case "turn-end":
          if (entry.reason === "aborted" && turns.at(-1)?.isOver === false) {
            push(toSaid(toNoticeMessage("The person stopped the turn here.")));
          }
          endTurn();
          break;
      }
    },
    tell: (message) => push(toSaid(message)),
    messages: () => {
      if (isStale) {
        sent = [];
        waiting = allPieces();
        isStale = false;
      }
      for (const piece of waiting) {
        for (const message of toMessages(piece)) append(sent, message);
      }
      waiting = [];
      return sent;
    },
    pieces: allPieces,
    files: () => {
      const said = turns
        .at(-1)
        ?.pieces.flatMap((piece) =>
          piece.kind === "said" && typeof piece.message.content !== "string"
            ? piece.message.content.filter(({ type }) => type === "file")
            : [],
        );
      return said === undefined || said.length === 0 ? undefined : { role: "user", content: said };
    },
    dropFiles: () => {
      const before = allPieces();
      for (const turn of turns) replace(turn, turn.pieces.map(dropPieceFiles));
      return allPieces().some((piece, at) => piece !== before[at]);
    },
    shortenOldTurns: () => {
      for (const turn of turns.slice(0, -1)) replace(turn, turn.pieces.map(shortenPiece));
    },
    shortenThisTurn: () => {
      const turn = turns.at(-1);
      if (turn === undefined) return;
      const kept = stepPlaces(turn).slice(-keptSteps);
      replace(
        turn,
        turn.pieces.map((piece, at) => (kept.includes(at) ? piece : shortenPiece(piece))),
      );
    },
    dropTurns: (wanted) => {
      let dropped = 0;
      while (tokens > wanted && dropped < turns.length - 1) {
        tokens -= sumTokens((turns[dropped] as Turn).pieces);
        dropped++;
      }
      turns.splice(0, dropped);
      isStale ||= dropped > 0;
      return dropped;
    },
    dropSteps: (wanted) => {
      const turn = turns.at(-1);
      if (turn === undefined) return 0;
      const gone = new Set<Piece>();
      let left = tokens;
      for (const at of stepPlaces(turn).slice(0, -keptSteps)) {
        if (left <= wanted) break;
        const piece = turn.pieces[at] as Piece;
        left -= piece.tokens;
        gone.add(piece);
      }
      if (gone.size === 0) return 0;
      const first = turn.pieces.findIndex((piece) => gone.has(piece));
      const isKept = (piece: Piece): boolean => piece !== stepsLeftOut && !gone.has(piece);
      replace(turn, [
        ...turn.pieces.slice(0, first).filter(isKept),
        stepsLeftOut,
        ...turn.pieces.slice(first).filter(isKept),
      ]);
      return gone.size;
    },
  };
}

interface Turn {
  pieces: Piece[];
  isOver: boolean;
}

// What a model is at work on it has to see as it is.
const keptSteps = 2;

const stepsLeftOut: Said = toSaid(
  toNoticeMessage(
    "Earlier steps of this turn are not shown any more, as they no longer fit. Their effects are there: look before you repeat anything.",
  ),
);

function stepPlaces({ pieces }: Turn): number[] {
  return pieces.flatMap(({ kind }, at) => (kind === "step" ? [at] : []));
}

function sumTokens(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.tokens, 0);
}

// Some models take a person's and their own words in turns only, and a person's first.
function append(messages: ModelMessage[], message: ModelMessage): void {
  const last = messages.at(-1);
  if (last === undefined && message.role !== "user") messages.push(beginning);
  if (last?.role === "user" && message.role === "user") {
    messages[messages.length - 1] = {
      role: "user",
      content: [...toParts(last.content), ...toParts(message.content)],
    };
    return;
  }
  messages.push(message);
}

const beginning: UserModelMessage = {
  role: "user",
  content: [{ type: "text", text: "[What was said before is not shown any more.]" }],
};

function toParts(content: UserModelMessage["content"]): Exclude<typeof content, string> {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
