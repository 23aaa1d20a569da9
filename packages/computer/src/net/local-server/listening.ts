/** The URL of a local server, without a trailing slash. */
export function toServerUrl(hostname: string, port: number): string {
  return `http://${toReachable(hostname)}:${port}`;
}

/** Explains why a server can't listen, and what to do about it. */
export function explainListening(error: unknown, port: number, hostname: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new Error(
        `Port ${port} on ${hostname} is already in use. Stop the program that uses it, or choose another port with --port.`,
        { cause: error },
      );
    case "EACCES":
      return new Error(
        `Port ${port} on ${hostname} needs privileges that this process does not have. Choose a port above 1023 with --port.`,
        { cause: error },
      );
    default:
      return error;
  }
}

// A browser can't open the wildcard address.
function toReachable(hostname: string): string {
  if (hostname === "0.0.0.0") return "127.0.0.1";
  if (hostname === "::") return "[::1]";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}
