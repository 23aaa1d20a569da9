import type { Server, Socket } from "node:net";

/** Servers and connections that keep this process alive together, or together don't. */
export class Handles {
  readonly #open = new Set<Server | Socket>();
  #isNeeded = true;

  /** Is one of them until it is closed. */
  add<Handle extends Server | Socket>(handle: Handle): Handle {
    this.#open.add(handle);
    handle.once("close", () => this.#open.delete(handle));
    if (!this.#isNeeded) handle.unref();
    return handle;
  }

  keepAlive(isNeeded: boolean): void {
    this.#isNeeded = isNeeded;
    for (const handle of this.#open) {
      if (isNeeded) handle.ref();
      else handle.unref();
    }
  }
}
