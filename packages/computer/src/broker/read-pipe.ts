import { constants, openSync } from "node:fs";
import { Socket } from "node:net";

/**
 * Receives bytes from a pipe. The bytes are valid until it returns, or until its promise resolves;
 * nothing more is read before that.
 */
export type TakeBytes = (bytes: Buffer) => undefined | Promise<void>;

/** The reading end of a pipe. */
export interface PipeReader {
  /** Resolves when everything was read. */
  readonly done: Promise<void>;
  /** No writer is left: what is in the pipe is still read, but no new writers are awaited. */
  finish(): void;
  /** Whether it keeps this process alive. */
  keepAlive(isNeeded: boolean): void;
  close(): void;
}

const bufferBytes = 32 * 1024;
const tickMs = 40;
const maxIdleTicks = 3;

/** Opens a named pipe and reads it to its end. */
export function readPipe(path: string, take: TakeBytes): PipeReader {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let isTaking = false;
  let hasNews = false;
  let ticks: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Returns whether more can be taken at once. */
  const receive = (bytes: Buffer): boolean => {
    hasNews = true;
    try {
      const taking = take(bytes);
      if (taking === undefined) return true;
      isTaking = true;
      taking.then(() => {
        isTaking = false;
        socket.resume();
      }, fail);
    } catch (error) {
      fail(error as Error);
    }
    return false;
  };
  const fail = (error: Error): void => {
    reject(error);
    socket.destroy();
  };
  const socket = new Socket({
    fd,
    readable: true,
    writable: false,
    onread: {
      // One buffer for all reads: a gigabyte of output must not become a gigabyte of garbage.
      buffer: Buffer.allocUnsafeSlow(bufferBytes),
      callback: (count, bytes) => receive(Buffer.from(bytes.buffer, bytes.byteOffset, count)),
    },
  });
  socket.once("error", fail);
  socket.once("close", () => {
    isClosed = true;
    clearInterval(ticks);
    resolve();
  });
  return {
    done,
    finish: () => {
      if (isClosed) return;
      let idle = 0;
      // Several turns: what is in the pipe must get its chance on a busy machine too.
      ticks = setInterval(() => {
        idle = hasNews || isTaking ? 0 : idle + 1;
        hasNews = false;
        if (idle >= maxIdleTicks) socket.destroy();
      }, tickMs);
    },
    keepAlive: (isNeeded) => void (isNeeded ? socket.ref() : socket.unref()),
    close: () => void socket.destroy(),
  };
}
