import { UsageError } from "../usage-error.ts";

/** Parses a port; 0 is any free port. */
export function readPort(given: unknown, otherwise: number): number {
  if (given === undefined || given === "") return otherwise;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${JSON.stringify(given)} is not a port: 0 to 65535.`);
}
