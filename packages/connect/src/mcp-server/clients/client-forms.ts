/** The name and version that a client states. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

/** How results are sent to a client. */
export interface ClientForm {
  /** The one form of a result that is sent. A model must not pay for the same result twice. */
  readonly form: "text" | "structured";
  /** Maximum size of a result as text. */
  readonly maxBytes: number;
  /** Default: unlimited. */
  readonly maxLines?: number;
}

/** Returns how results are sent to a client. Unknown clients get the default. */
export function findClientForm(client: ClientIdentity | undefined): ClientForm {
  const known = client && knownClients.find((row) => isRow(row, client));
  return { ...defaultForm, ...known?.form };
}

const defaultForm: ClientForm = { form: "text", maxBytes: 30 * 1024 };

interface KnownClient {
  readonly name: RegExp;
  /** The versions that it holds for. Default: all. */
  readonly from?: string;
  readonly below?: string;
  readonly form: Partial<ClientForm>;
}

/**
 * What clients do with a result, measured with the versions in `scripts/test-clients.mjs`. Clients cut
 * long results themselves and lose the exit code or the path of the sidecar, so results must stay
 * below their limits. The first row that fits counts.
 */
const knownClients: readonly KnownClient[] = [
  // Shows its model structured content as JSON and drops the text. Limit: 25,000 tokens.
  { name: /^claude-code\b/u, from: "2.0.0", form: { form: "text", maxBytes: 30 * 1024 } },
  // Shows its model structured content as JSON and drops text and images. Limit: 12,000 bytes with
  // what it adds; it leaves out the middle.
  { name: /^codex\b/u, form: { form: "text", maxBytes: 10_000 } },
  // Shows its model the text. Limit: 40,000 characters.
  { name: /^gemini-cli\b/u, form: { form: "text", maxBytes: 30 * 1024 } },
  // Shows its model the text. Limit: 2,000 lines or 50 KB.
  { name: /^opencode\b/u, from: "1.0.0", form: { form: "text", maxLines: 2_000 } },
  // Shows its model both.
  { name: /^langchain\b/u, form: { form: "text" } },
];

function isRow({ name, from, below }: KnownClient, client: ClientIdentity): boolean {
  if (!name.test(client.name)) return false;
  const isLate = from === undefined || compareVersions(client.version, from) >= 0;
  return isLate && (below === undefined || compareVersions(client.version, below) < 0);
}

function compareVersions(one: string, other: string): number {
  const [mine, theirs] = [one, other].map((text) => (text.match(/\d+/gu) ?? []).map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (mine?.[at] ?? 0) - (theirs?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
