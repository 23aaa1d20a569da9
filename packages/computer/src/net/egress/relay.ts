import type { Socket } from "node:net";

/** How long a connection may be silent. */
export const idleMs: number = 5 * 60_000;

/** Carries bytes both ways until both sides are done, one of them breaks, or nothing comes any more. */
export function relay(one: Socket, other: Socket): void {
  carry(one, other);
  carry(other, one);
}

function carry(from: Socket, to: Socket): void {
  from.on("error", () => to.destroy());
  // What is still to be written goes out first.
  from.once("close", () => to.destroySoon());
  from.setTimeout(idleMs, () => {
    from.destroy();
    to.destroy();
  });
  from.pipe(to);
}
