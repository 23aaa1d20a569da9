/** Headers as they stood in a message: names and values in turn. */
export type RawHeaders = readonly string[];

/** What of a message's headers is for the other end, not for this hop. */
export function forwardedHeaders(raw: RawHeaders): string[] {
  const pairs = toPairs(raw);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(","))
    .map((name) => name.trim());
  const dropped = new Set([...hopByHop, ...named]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

/** The headers with one of them set, wherever and however often it stood. */
export function withHeader(raw: RawHeaders, name: string, value: string): string[] {
  const others = toPairs(raw).filter(([each]) => each.toLowerCase() !== name.toLowerCase());
  return [name, value, ...others.flat()];
}

const hopByHop = [
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

function toPairs(raw: RawHeaders): [name: string, value: string][] {
  return Array.from({ length: raw.length >> 1 }, (_, index) => [
    raw[index * 2] ?? "",
    raw[index * 2 + 1] ?? "",
  ]);
}
