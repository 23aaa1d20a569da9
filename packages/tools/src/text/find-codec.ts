import { createIso2022JpCodec } from "./iso-2022-jp-codec.ts";
import { createTableCodec } from "./table-codec.ts";
import type { EncodingName, TextCodec } from "./text-codec.ts";
import { utf8Codec, utf16beCodec, utf16leCodec } from "./unicode-codecs.ts";

const codecs = new Map<EncodingName, TextCodec>(
  [utf8Codec, utf16leCodec, utf16beCodec].map((codec) => [codec.name, codec]),
);

/** Returns the codec for an encoding. Its tables are built once. */
export function findCodec(name: EncodingName): TextCodec {
  let codec = codecs.get(name);
  if (codec === undefined) {
    codec = name === "iso-2022-jp" ? createIso2022JpCodec() : createTableCodec(name);
    codecs.set(name, codec);
  }
  return codec;
}
