/** Where a server of ours can be reached, without a slash at the end. */
export function toServerUrl(hostname: string, port: number): string {
  return `http://${toReachable(hostname)}:${port}`;
}

/** Says why a server can't listen, and what to do about it. */
export function explainListening(error: unknown, port: number, hostname: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new Error(
        `Port ${port} on ${hostname} is already in use. Stop what uses it, or choose another port with --port.`,
        { cause: error },
      );
    case "EACCES":
      return new Error(
        `Port ${port} on ${hostname} needs rights that this process does not have. Choose another with --port, above 1023.`,
        { cause: error },
      );
    default:
      return error;
  }
}

// An address that stands for all of the machine's is none that a browser can open.
function toReachable(hostname: string): string {
  if (hostname === "0.0.0.0") return "127.0.0.1";
  if (hostname === "::") return "[::1]";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}
