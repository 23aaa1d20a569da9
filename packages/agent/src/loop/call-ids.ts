import { randomUUID } from "node:crypto";

/** Knows which ids calls have. */
export interface CallIds {
  /** The id if it is new, else another that is. */
  claim(id: string): string;
  /** Notes an id that a call has already. */
  note(id: string): void;
}

/** Starts with none. Some models give none, or the same again with every answer. */
export function createCallIds(): CallIds {
  const known = new Set<string>();
  return {
    claim: (id) => {
      const own = id.trim() === "" || known.has(id) ? makeId(id) : id;
      known.add(own);
      return own;
    },
    note: (id) => {
      known.add(id);
    },
  };
}

// Providers take ids up to 64 characters.
function makeId(id: string): string {
  const begin = id.trim() === "" ? "call" : id.trim().slice(0, 40);
  return `${begin}_${randomUUID().slice(0, 8)}`;
}
