import type { Socket } from "node:net";

/** Idle timeout of a connection. */
export const idleMs: number = 5 * 60_000;

/** Copies bytes both ways until both sides end, one of them breaks, or both are idle for too long. */
export function relay(one: Socket, other: Socket): void {
  carry(one, other);
  carry(other, one);
}

function carry(from: Socket, to: Socket): void {
  from.on("error", () => to.destroy());
  // Pending writes go out first.
  from.once("close", () => to.destroySoon());
  from.setTimeout(idleMs, () => {
    from.destroy();
    to.destroy();
  });
  from.pipe(to);
}
