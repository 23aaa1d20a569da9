/** Headers in the order of the message: names and values alternate. */
export type RawHeaders = readonly string[];

/** Returns the end-to-end headers of a message, without hop-by-hop ones. */
export function forwardedHeaders(raw: RawHeaders): string[] {
  const pairs = toPairs(raw);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(","))
    .map((name) => name.trim());
  const dropped = new Set([...hopByHop, ...named]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

/** Returns the headers with one of them set; earlier occurrences are removed. */
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
