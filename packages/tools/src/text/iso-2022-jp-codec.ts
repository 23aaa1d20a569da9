import { createTableCodec } from "./table-codec.ts";
import type { TextCodec } from "./text-codec.ts";

const toAscii = [0x1b, 0x28, 0x42];
const toKanji = [0x1b, 0x24, 0x42];

/**
 * The seven-bit encoding of Japanese mail: escapes switch between ASCII and JIS X 0208, whose
 * characters are those of EUC-JP without the high bits. Lines end in ASCII.
 */
export function createIso2022JpCodec(): TextCodec {
  const decoder = new TextDecoder("iso-2022-jp", { fatal: true });
  const eucJp = createTableCodec("euc-jp");
  return {
    name: "iso-2022-jp",
    isStateful: true,
    decode: (bytes) => decoder.decode(bytes),
    encode: (text) => {
      const bytes: number[] = [];
      let isKanji = false;
      for (const character of text) {
        const wide = character > "\u007f" ? eucJp.encode(character) : undefined;
        if (wide !== undefined && !isTwoBytes(wide)) return { missing: character };
        if (isKanji !== (wide !== undefined)) {
          bytes.push(...(isKanji ? toAscii : toKanji));
          isKanji = !isKanji;
        }
        if (wide === undefined) bytes.push(character.charCodeAt(0));
        else bytes.push((wide[0] as number) & 0x7f, (wide[1] as number) & 0x7f);
      }
      if (isKanji) bytes.push(...toAscii);
      return Uint8Array.from(bytes);
    },
  };
}

function isTwoBytes(encoded: ReturnType<TextCodec["encode"]>): encoded is Uint8Array {
  return encoded instanceof Uint8Array && encoded.length === 2 && (encoded[0] as number) >= 0xa1;
}
