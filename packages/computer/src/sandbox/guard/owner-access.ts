import { chmodSync, readdirSync } from "node:fs";
import type { Pin } from "../../disk/pin.ts";
import { portablePinning } from "../../disk/portable-pinning.ts";
import { canPinThroughProc, procPinning } from "../../disk/proc-pinning.ts";
import { isSystemError } from "../../disk/system-error.ts";

/** Uses what is at a path, links not followed, even if it is replaced meanwhile. */
export function withPin<Result>(path: string, use: (pin: Pin) => Result): Result {
  const pin = (canPinThroughProc() ? procPinning : portablePinning).pin(path, { noFollow: true });
  try {
    return use(pin);
  } finally {
    pin.close();
  }
}

/**
 * Restores the owner's permissions on a directory: a command may have removed them to hide its
 * content. Returns whether it succeeded.
 */
export function allowOwner(path: string): boolean {
  try {
    return withPin(path, (pin) => {
      if (pin.landing !== path || !pin.stats.isDirectory()) return false;
      chmodSync(pin.reach, rights(pin, 0o700));
      return true;
    });
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** Gives the owner read and write permission on a path and everything below it. */
export function allowOwnerBelow(path: string): void {
  withPin(path, (pin) => {
    if (pin.stats.isFile()) chmodSync(pin.reach, rights(pin, 0o600));
    if (!pin.stats.isDirectory()) return;
    chmodSync(pin.reach, rights(pin, 0o700));
    for (const name of readdirSync(pin.reach)) allowOwnerBelow(pin.at(name));
  });
}

function rights({ stats }: Pin, added: number): number {
  return (Number(stats.mode) & 0o7777) | added;
}
