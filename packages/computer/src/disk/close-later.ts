import { close } from "node:fs";

let waiting: number[] = [];

/**
 * Closes a descriptor in a while, beside the event loop. It may be the last hold on a file that was
 * replaced, and to clear that away takes the system longer than all else about a write.
 */
export function closeLater(fd: number): void {
  waiting.push(fd);
  if (waiting.length === 1) setImmediate(closeAll);
}

function closeAll(): void {
  const closing = waiting;
  waiting = [];
  for (const fd of closing) close(fd, () => {});
}
