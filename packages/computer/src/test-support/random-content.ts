import fc from "fast-check";

const line = fc.oneof(
  fc.constantFrom(
    "foo",
    "foo bar",
    "bar",
    "",
    "fäo",
    "FOO",
    "xfoox",
    "日本 foo",
    "foo\u2028bar",
    "😀foo",
  ),
  fc.constantFrom("foo ", "ä", "日").map((text) => text.repeat(200)),
);

const text = fc
  .record({
    lines: fc.array(line, { maxLength: 6 }),
    breaks: fc.constantFrom("\n", "\n", "\r\n", "\r", "\n\n"),
    isEnded: fc.boolean(),
  })
  .map(({ lines, breaks, isEnded }) => lines.join(breaks) + (isEnded ? breaks : ""));

const swapped = (content: string): Buffer => Buffer.from(`\uFEFF${content}`, "utf16le").swap16();

/** Files of the kinds that searches meet: several encodings, broken ones, binary ones. */
export const randomContent: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: text.map((content) => Buffer.from(content)) },
  text.map((content) => Buffer.from(`\uFEFF${content}`)),
  text.map((content) => Buffer.from(`\uFEFF${content}`, "utf16le")),
  text.map(swapped),
  text.map((content) => Buffer.from(content, "latin1")),
  fc
    .tuple(text, fc.constantFrom("\xff", "\xc3(", "\0", "\xf0\x9f", "\xed\xa0\x80"), text)
    .map(([before, bytes, after]) =>
      Buffer.concat([Buffer.from(before), Buffer.from(bytes, "latin1"), Buffer.from(after)]),
    ),
);
