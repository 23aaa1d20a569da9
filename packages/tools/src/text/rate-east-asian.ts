import type { EncodingName } from "./text-codec.ts";

/**
 * Ranks the East Asian encodings that a sample may have, most likely first. Nearly every byte
 * sequence is a character in several of them, but texts consist of a few thousand common characters,
 * which each encoding has in its own area.
 */
export function rateEastAsian(sample: Uint8Array): EncodingName[] {
  return scripts
    .map((script) => ({ name: script.name, rating: rate(sample, script) }))
    .filter(({ rating }) => rating >= minRating)
    .sort((one, other) => other.rating - one.rating)
    .map(({ name }) => name);
}

// The sum of the shares of common and of frequent characters.
const minRating = 0.85;
const minTogether = 0.5;

interface Script {
  readonly name: EncodingName;
  /** The area of common characters, as bytes. */
  isCommon(lead: number, trail: number): boolean;
  /** Characters that nearly every sentence contains. */
  readonly frequent: RegExp;
}

const kana = /[\u3041-\u3096\u30a1-\u30fc]/u;

const scripts: readonly Script[] = [
  {
    name: "shift_jis",
    isCommon: (lead) => (lead >= 0x81 && lead <= 0x83) || (lead >= 0x88 && lead <= 0x97),
    frequent: kana,
  },
  {
    name: "euc-jp",
    isCommon: (lead) => lead === 0xa1 || (lead >= 0xa3 && lead <= 0xa5) || isIn(lead, 0xb0, 0xcf),
    frequent: kana,
  },
  {
    name: "gb18030",
    isCommon: (lead, trail) =>
      trail >= 0xa1 && (lead === 0xa1 || lead === 0xa3 || isIn(lead, 0xb0, 0xd7)),
    frequent:
      /[的一是不了在有人我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实数文件名字]/u,
  },
  {
    name: "big5",
    isCommon: (lead) => lead === 0xa1 || isIn(lead, 0xa4, 0xc6),
    frequent:
      /[的一是不了在有人我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實數文件名字]/u,
  },
  {
    name: "euc-kr",
    isCommon: (lead) => lead === 0xa1 || lead === 0xa3 || isIn(lead, 0xb0, 0xc8),
    frequent:
      /[이다는을를에의가고하지기은도로사리아한인자시어대나라해정있수그보일서부전제상주으거구만여스장과게와조성없동원명우적국습니합]/u,
  },
];

function rate(sample: Uint8Array, script: Script): number {
  let text: string;
  try {
    text = new TextDecoder(script.name, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return 0;
  }
  const { characters, common, together } = walk(sample, script);
  if (characters === 0 || together < characters * minTogether) return 0;
  const frequent = text.match(new RegExp(script.frequent, "gu"))?.length ?? 0;
  // Accented letters of Western Europe have such bytes, too: `"ÀÉÈÊ"` would be Chinese.
  if (frequent === 0 && sample.every((byte) => byte < 0x80 || byte >= 0xc0)) return 0;
  return (common + frequent) / characters;
}

/** Counts characters beyond ASCII, those in the common area, and those next to another. */
function walk(
  sample: Uint8Array,
  script: Script,
): { characters: number; common: number; together: number } {
  let characters = 0;
  let common = 0;
  let together = 0;
  let run = 0;
  for (let at = 0; at < sample.length; ) {
    const lead = sample[at] as number;
    if (lead < 0x80) {
      run = 0;
      at++;
      continue;
    }
    const trail = sample[at + 1] ?? 0;
    characters++;
    run++;
    if (run > 1) together += run === 2 ? 2 : 1;
    const isHalfWidth = script.name === "shift_jis" && isIn(lead, 0xa1, 0xdf);
    if (!isHalfWidth && script.isCommon(lead, trail)) common++;
    at += isHalfWidth ? 1 : lengthOf(script.name, lead, trail);
  }
  return { characters, common, together };
}

function lengthOf(name: EncodingName, lead: number, trail: number): number {
  if (name === "euc-jp" && lead === 0x8f) return 3;
  return name === "gb18030" && isIn(trail, 0x30, 0x39) ? 4 : 2;
}

function isIn(byte: number, first: number, last: number): boolean {
  return byte >= first && byte <= last;
}
