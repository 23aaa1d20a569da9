import {
  createHistory,
  defaultSettings,
  type NewInvocation,
  newId,
  type Store,
} from "@haft/platform/internal";

const dayMs = 86_400_000;
const writers = 32;
const vocabulary = 20_000;

/** A word in one of 50,000 outputs, and one in half of them. */
export const rareWord = "wombat";
export const commonWord = "word0";
/** The type of one error in 1,000. */
export const rareError = "QuotaExceeded";

/** Days over which planted invocations are spread, to now. */
export const plantedDays = 30;

/** What was planted. */
export interface Planted {
  readonly organization: string;
  readonly tools: readonly string[];
  /** Invocations a second, for each part. */
  readonly rates: readonly number[];
  /** Milliseconds of processor time per 1,000 invocations, for each part. */
  readonly costs: readonly number[];
}

/** Plants tools, callers and invocations, through the writer of history, in equal parts. */
export async function plantInvocations(
  store: Store,
  organization: string,
  {
    rows,
    parts = 10,
    onPart,
  }: { readonly rows: number; readonly parts?: number; onPart?(rate: number): void },
): Promise<Planted> {
  const tools = await plantTools(store, organization);
  const callers = await plantCallers(store, organization);
  const make = createRows({ organization, tools, callers, rows });
  const recorder = createHistory({
    ...{ store, settings: defaultSettings, processId: newId(), now: Date.now },
  });
  const [rates, costs]: [number[], number[]] = [[], []];
  const size = Math.ceil(rows / parts);
  for (let from = 0; from < rows; from += size) {
    let next = from;
    const end = Math.min(rows, from + size);
    const writeSome = async (): Promise<void> => {
      while (next < end) {
        const row = make(next++);
        await recorder.begin(row).end(row);
      }
    };
    const [start, used] = [performance.now(), process.cpuUsage()];
    await Promise.all(Array.from({ length: writers }, writeSome));
    const { user, system } = process.cpuUsage(used);
    rates.push(((end - from) * 1_000) / (performance.now() - start));
    costs.push((user + system) / (end - from));
    onPart?.(rates.at(-1) ?? 0);
  }
  await recorder.close();
  return { organization, tools, rates, costs };
}

async function plantTools({ db }: Store, organization: string): Promise<string[]> {
  const rows = Array.from({ length: 40 }, (_, index) => ({
    ...{ id: newId(), org_id: organization, name: `tool_${index}`, description: "Does something." },
    ...{ deprecated: 0 as const, creator_user_id: "ada", updated_by_user_id: "ada" },
    ...{ created_at: Date.now(), updated_at: Date.now() },
  }));
  await db.insertInto("tools").values(rows).execute();
  return rows.map(({ id }) => id);
}

async function plantCallers({ db }: Store, organization: string): Promise<number[]> {
  const rows = Array.from({ length: 30 }, (_, index) => ({
    ...{ org_id: organization, key_id: newId(), key_name: `key-${index}` },
    ...{ user_id: `user-${index % 8}`, client: "curl/8.5.0" },
  }));
  const added = await db.insertInto("callers").values(rows).returning("id").execute();
  return added.map(({ id }) => id);
}

interface Origin {
  readonly organization: string;
  readonly tools: readonly string[];
  readonly callers: readonly number[];
  readonly rows: number;
}

const sources = ["direct", "direct", "direct", "mcp", "regular-conversation", "schedule"] as const;
const errors = ["TypeError", "RangeError", "Timeout", "InvalidInput"];

/**
 * Creates a function that makes rows: some tools, callers and words are used far more often than
 * others; 3 in 100 fail; most outputs have some hundred characters, 1 in 12 some thousand and 1 in 70
 * up to 100,000; 1 in 10 prints something.
 */
function createRows({
  organization,
  tools,
  callers,
  rows,
}: Origin): (index: number) => NewInvocation {
  const random = createRandom(12_345);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() ** 2 * values.length)] as Value;
  const words = (count: number): string =>
    Array.from({ length: count }, () => `word${Math.floor(random() ** 3 * vocabulary)}`).join(" ");
  const short = Array.from({ length: 10_000 }, () => words(35));
  const medium = Array.from({ length: 500 }, () => words(400 + Math.floor(random() * 500)));
  const large = Array.from({ length: 200 }, () => words(1_500 + Math.floor(random() * 9_500)));
  const start = Date.now() - plantedDays * dayMs;
  return (index) => {
    const size = random();
    const text = `${size < 1 / 70 ? pick(large) : size < 0.1 ? pick(medium) : pick(short)} ${index}`;
    // They end in another order than they begin.
    const duration = Math.round(Math.exp(random() * 9));
    const at = Math.round(start + (index * plantedDays * dayMs) / rows) - duration;
    const minor = Math.floor((index * 5) / rows) + (random() < 0.2 ? 1 : 0);
    const printed =
      random() < 0.1
        ? {
            stdout: { text: words(20), omittedCharacters: 0 },
            stderr: { text: "", omittedCharacters: 0 },
          }
        : undefined;
    const common: Omit<NewInvocation, "succeeded"> = {
      ...{ id: newId(), org_id: organization, tool_id: pick(tools), major: 1, minor, patch: 0 },
      ...{ source_type: pick(sources), user_id: "ada", mode: "regular", caller: pick(callers) },
      inputs: JSON.stringify({ city: "Berlin", index, ...(size > 0.99 && { text: pick(large) }) }),
      printed: printed === undefined ? null : JSON.stringify(printed),
      ...{ duration_ms: duration, created_at: at, updated_at: at + duration },
    };
    if (random() >= 0.03) {
      return {
        ...common,
        succeeded: 1,
        output: index % 50_000 === 7 ? `${rareWord} ${text}` : text,
      };
    }
    return {
      ...common,
      succeeded: 0,
      exception_type: random() < 0.001 ? rareError : pick(errors),
      exception_message: text.slice(0, 100),
      exception_stack_trace: JSON.stringify(["at runTool (tool.js:12:3)", "at call (main.js:4:7)"]),
    };
  };
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}
