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
 * The messages of a thread for a model. It grows with the thread, and each entry is converted only
 * once. Messages can be shortened or dropped here, while the thread keeps them.
 */
export interface Conversation {
  /** Estimated number of tokens of the messages. */
  readonly tokens: number;
  /** Number of entries it represents. */
  readonly entries: number;
  /** Text of the person's last message. */
  readonly request: string;
  add(entry: ThreadEntry): void;
  /** Adds a message for the model that is not stored in the thread. */
  tell(message: UserModelMessage): void;
  /** Oldest first. The same array grows from request to request. */
  messages(): readonly ModelMessage[];
  /** The last summary, if any, and everything after it. */
  pieces(): readonly Piece[];
  /** Files in the messages of this turn, which a summary can't contain. */
  files(): UserModelMessage | undefined;
  /** Drops all files. Returns whether there were any. */
  dropFiles(): boolean;
  /** Shortens long results of earlier turns. */
  shortenOldTurns(): void;
  /** Shortens long results of this turn too, except the latest. */
  shortenThisTurn(): void;
  /** Drops the oldest turns until about this many tokens are left, but never the current turn. Returns how many were dropped. */
  dropTurns(tokens: number): number;
  /** Drops the oldest steps of this turn until about this many tokens are left. Returns how many were dropped. */
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
  // Pieces that are not in the messages yet.
  let waiting: Piece[] = [];
  // Whether the messages are out of date.
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
          // Notices right before a person's message belong to the turn that it begins.
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
            push(toSaid(toNoticeMessage("The user stopped the turn here.")));
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

// The model must see the step it is working on unchanged.
const keptSteps = 2;

const stepsLeftOut: Said = toSaid(
  toNoticeMessage(
    "Earlier steps of this turn are no longer shown, because they don't fit. Their effects remain: check the current state before you repeat anything.",
  ),
);

function stepPlaces({ pieces }: Turn): number[] {
  return pieces.flatMap(({ kind }, at) => (kind === "step" ? [at] : []));
}

function sumTokens(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.tokens, 0);
}

// Some models require alternating user and assistant messages, with a user message first.
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
  content: [{ type: "text", text: "[Earlier messages are no longer shown.]" }],
};

function toParts(content: UserModelMessage["content"]): Exclude<typeof content, string> {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
