/** A command's exit code as Python tells it: that of a signal is its number below zero. */
export function toExitCode(
  exitCode: number | null | undefined,
  signal: string | undefined,
): number {
  if (typeof exitCode === "number") return exitCode;
  return -(signalNumbers.get(signal ?? "") ?? 1);
}

// Linux's numbers of the signals that end processes.
const signalNumbers: ReadonlyMap<string, number> = new Map([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGQUIT", 3],
  ["SIGILL", 4],
  ["SIGTRAP", 5],
  ["SIGABRT", 6],
  ["SIGBUS", 7],
  ["SIGFPE", 8],
  ["SIGKILL", 9],
  ["SIGUSR1", 10],
  ["SIGSEGV", 11],
  ["SIGUSR2", 12],
  ["SIGPIPE", 13],
  ["SIGALRM", 14],
  ["SIGTERM", 15],
  ["SIGXCPU", 24],
  ["SIGXFSZ", 25],
  ["SIGSYS", 31],
]);
