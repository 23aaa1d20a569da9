import { randomUUID } from "node:crypto";

/** Keeps call IDs unique. */
export interface CallIds {
  /** Returns the ID if it is new, otherwise another new one. */
  claim(id: string): string;
  /** Marks an ID as used. */
  note(id: string): void;
}

/** Creates an empty set of IDs. Some models send no IDs, or the same ones with every answer. */
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

// Providers accept IDs of up to 64 characters.
function makeId(id: string): string {
  const begin = id.trim() === "" ? "call" : id.trim().slice(0, 40);
  return `${begin}_${randomUUID().slice(0, 8)}`;
}
