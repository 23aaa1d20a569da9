import type { Store } from "../store/store.ts";
import { findStoreFailure, StoreFailure } from "../store/store-failure.ts";

/** Allows work only while the store accepts writes. */
export interface WriteGate {
  /** Returns why work is refused; `undefined` if the last write succeeded. */
  findFailure(): StoreFailure | undefined;
  /** Refuses work until a write has succeeded. */
  shut(failure: StoreFailure): void;
  /** Tries a write unless one succeeded recently. Throws if it fails. */
  check(): Promise<void>;
  close(): void;
}

/** Options of a gate. */
export interface WriteGateParts {
  readonly store: Pick<Store, "watchFailures">;
  /** Writes pending records, then something small. */
  write(): Promise<void>;
  /** Called when the gate shuts and when it opens again. */
  onChange?(failure: StoreFailure | undefined): void;
  /** How long a successful write counts for `check`. Default: 1000. */
  readonly freshMs?: number;
  /** The pause between two tries while the gate is shut. Default: 1000. */
  readonly retryMs?: number;
}

/**
 * Creates a gate that shuts when the store fails, retries by itself and opens when a write
 * succeeds. Damage found by a read does not shut it: one caller who reads a damaged page must not
 * stop all others.
 */
export function createWriteGate(parts: WriteGateParts): WriteGate {
  const { write, onChange, freshMs = 1_000, retryMs = 1_000 } = parts;
  let failure: StoreFailure | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let trying: Promise<void> | undefined;
  let isClosed = false;
  let failures = 0;

  const shut = (reason: StoreFailure): void => {
    if (isClosed) return;
    const wasOpen = failure === undefined;
    failure = reason;
    failures += 1;
    timer ??= setTimeout(() => {
      timer = undefined;
      // A write that fails shuts the gate again, which sets the next timer.
      tryWrite().catch(() => undefined);
    }, retryMs).unref();
    if (wasOpen) onChange?.(reason);
  };
  const tryWrite = (): Promise<void> => {
    trying ??= attempt().finally(() => {
      trying = undefined;
    });
    return trying;
  };
  const attempt = async (): Promise<void> => {
    const before = failures;
    try {
      await write();
    } catch (error) {
      const reason = findStoreFailure(error) ?? new StoreFailure("failed", error);
      shut(reason);
      throw reason;
    }
    writtenAt = performance.now();
    // Another write failed meanwhile and is still pending.
    if (failure === undefined || failures !== before) return;
    failure = undefined;
    clearTimeout(timer);
    timer = undefined;
    onChange?.(undefined);
  };
  parts.store.watchFailures((reason) => {
    if (reason.reason !== "damaged") shut(reason);
  });
  return {
    findFailure: () => failure,
    shut,
    check: async () => {
      if (failure !== undefined) throw failure;
      if (performance.now() - writtenAt > freshMs) await tryWrite();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
