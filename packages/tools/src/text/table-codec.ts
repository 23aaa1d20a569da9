import type { EncodingName, TextCodec } from "./text-codec.ts";

/**
 * Creates a codec for an encoding that `TextDecoder` can only decode. To encode, it builds a table by
 * decoding every byte sequence.
 */
export function createTableCodec(name: EncodingName): TextCodec {
  const decoder = new TextDecoder(name, { fatal: true });
  let table: EncodingTable | undefined;
  return {
    name,
    decode: (bytes) => decoder.decode(bytes),
    encode: (text) => {
      table ??= new EncodingTable(name);
      const bytes = new Uint8Array(text.length * 4);
      let length = 0;
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        let packed = unit < 0x80 ? unit : table.find(unit);
        if (packed === 0 && unit !== 0) {
          const character = String.fromCodePoint(text.codePointAt(at) as number);
          packed = table.findRare(character);
          if (packed === 0) return { missing: character };
          at += character.length - 1;
        }
        if (packed > 0xffffff) bytes[length++] = packed >>> 24;
        if (packed > 0xffff) bytes[length++] = packed >>> 16;
        if (packed > 0xff) bytes[length++] = packed >>> 8;
        bytes[length++] = packed;
      }
      return bytes.slice(0, length);
    },
  };
}

type Sequence = readonly number[];

/** Sequences of up to four bytes, each packed into a number; 0 where there is none. */
class EncodingTable {
  readonly #name: EncodingName;
  readonly #units = new Uint32Array(0x10000);
  readonly #pairs = new Map<string, number>();
  #hasLong = false;

  constructor(name: EncodingName) {
    this.#name = name;
    this.#add(singleBytes());
    if (twoByteNames.has(name)) this.#add(twoBytes(leadsOf(name)));
    if (name === "euc-jp") this.#add(threeBytes());
  }

  find(unit: number): number {
    return this.#units[unit] as number;
  }

  /** For surrogate pairs and rare characters. */
  findRare(character: string): number {
    if (this.#name !== "gb18030") return this.#pairs.get(character) ?? 0;
    if (character.length === 2) return pack(toLongSequence(toSupplementaryPointer(character)));
    if (!this.#hasLong) this.#add(longSequences());
    this.#hasLong = true;
    return this.find(character.charCodeAt(0));
  }

  /** The first sequence for a character is the one to write. */
  #add(sequences: Iterable<Sequence>): void {
    const decoder = new TextDecoder(this.#name);
    for (const sequence of sequences) {
      const text = decoder.decode(Uint8Array.from(sequence));
      const unit = text.charCodeAt(0);
      if (text.length === 1) {
        if (unit !== replacement && this.#units[unit] === 0) this.#units[unit] = pack(sequence);
      } else if ((text.codePointAt(0) as number) > 0xffff && !this.#pairs.has(text)) {
        // Otherwise the second byte does not belong to the sequence.
        this.#pairs.set(text, pack(sequence));
      }
    }
  }
}

const replacement = 0xfffd;

function pack(sequence: Sequence): number {
  return sequence.reduce((packed, byte) => ((packed << 8) | byte) >>> 0, 0);
}

const twoByteNames = new Set(["shift_jis", "euc-jp", "gb18030", "gbk", "big5", "euc-kr"]);

function* singleBytes(): Iterable<Sequence> {
  for (let byte = 0x80; byte <= 0xff; byte++) yield [byte];
}

function* twoBytes(leads: Iterable<number>): Iterable<Sequence> {
  for (const lead of leads) {
    for (let trail = 0x40; trail <= 0xfe; trail++) yield [lead, trail];
  }
}

function* threeBytes(): Iterable<Sequence> {
  for (let second = 0xa1; second <= 0xfe; second++) {
    for (let third = 0xa1; third <= 0xfe; third++) yield [0x8f, second, third];
  }
}

/** If two sequences give one character, the one that other programs write comes first. */
function leadsOf(name: EncodingName): readonly number[] {
  const leads = Array.from({ length: 0x7e }, (_, at) => 0x81 + at);
  const isRare = (lead: number): boolean => {
    if (name === "shift_jis") return lead === 0xed || lead === 0xee;
    return name === "big5" && lead < 0xa1;
  };
  return [...leads.filter((lead) => !isRare(lead)), ...leads.filter(isRare)];
}

const longPointersOfPlaneZero = 39_420;
const supplementaryPointer = 189_000;

function* longSequences(): Iterable<Sequence> {
  for (let pointer = 0; pointer < longPointersOfPlaneZero; pointer++) yield toLongSequence(pointer);
}

function toSupplementaryPointer(character: string): number {
  return supplementaryPointer + (character.codePointAt(0) as number) - 0x10000;
}

/** Converts a pointer to a four-byte sequence of gb18030. */
function toLongSequence(pointer: number): Sequence {
  return [
    0x81 + Math.floor(pointer / 12_600),
    0x30 + (Math.floor(pointer / 1_260) % 10),
    0x81 + (Math.floor(pointer / 10) % 126),
    0x30 + (pointer % 10),
  ];
}
