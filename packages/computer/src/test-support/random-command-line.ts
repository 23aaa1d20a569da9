import fc from "fast-check";

const letters = fc.string({
  unit: fc.constantFrom(..."abcxyz019._-/"),
  minLength: 1,
  maxLength: 5,
});
const anything = fc.string({
  unit: fc.constantFrom(
    ..."ab -_.,:;|&<>(){}[]*?!~#$`'\"\\=@%^+/\n\té",
    "\\\n",
    "$(",
    "${",
    "..",
    "~/",
  ),
  maxLength: 6,
});

// A piece of a word in any of the ways to write one. Some of them are not what they look like.
const piece = fc.oneof(
  { arbitrary: letters, weight: 6 },
  anything.map((text) => `'${text.replaceAll("'", "")}'`),
  anything.map((text) => `"${text.replaceAll(/["\\$`]/gu, "\\$&")}"`),
  anything.map((text) => `"${text}"`),
  anything.map((text) =>
    text.replaceAll(/[^\w./-]/gu, (character) => (character === "\n" ? "" : `\\${character}`)),
  ),
  anything.map((text) => `$'${text.replaceAll(/['\\]/gu, "\\$&")}'`),
  anything,
  fc.constantFrom("~", "~/a", "{}", "@{0}", "a=b", "--x=y", "!", "''", '""', "\\\n", "#", "[", "]"),
);

const word = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));

const redirection = fc.constantFrom(
  ...["", "", "", "", " 2>/dev/null", " >/dev/null", " 2>&1", " </dev/null", " &>/dev/null"],
);

const name = fc.constantFrom("ls", "cat", "wc", "head", "grep", "'l's", 'c"at"', "\\wc", "gr\\ep");

const simple = fc
  .tuple(name, fc.array(word, { maxLength: 3 }), redirection)
  .map(([program, words, end]) => `${[program, ...words].join(" ")}${end}`);

const document = fc
  .tuple(simple, fc.constantFrom("E", "'E'", '"E"', "\\E"), anything)
  .map(([command, delimiter, text]) => `${command} <<${delimiter}\n${text}\nE\n`);

const changes = fc.constantFrom(
  "cd a",
  "cd a/b",
  "cd ..",
  "cd link",
  "cd nowhere",
  "cd .",
  "cd ./a/",
);

/** Command lines of stand-ins, with all kinds of words, most of which run all that is in them. */
export const randomCommandLine: fc.Arbitrary<string> = fc.letrec<{ line: string }>((tie) => ({
  line: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: simple, weight: 3 },
    document,
    fc
      .tuple(
        tie("line"),
        fc.constantFrom("; ", " && ", " | ", "\n", " & ", " || ", " |& "),
        tie("line"),
      )
      .map(([one, sign, other]) => `${one}${one.endsWith("\n") ? "" : sign}${other}`),
    fc
      .tuple(changes, fc.constantFrom("; ", " && ", "\n", " || "), tie("line"))
      .map((parts) => parts.join("")),
    tie("line").map((line) => `(${line}\n)`),
    tie("line").map((line) => `{ ${line}\n}`),
    tie("line").map((line) => `if true; then ${line}\nfi`),
    tie("line").map((line) => `time ${line}`),
    tie("line").map((line) => `! ${line}`),
    tie("line").map((line) => `NODE_ENV=x ${line}`),
    tie("line").map((line) => `timeout 9 ${line}`),
    tie("line").map((line) => `env CI=1 nice ${line}`),
    tie("line").map((line) => `bash -c '${line.replaceAll("'", `'\\''`)}'`),
  ),
})).line;

/** The stand-ins that these command lines call. */
export const standIns: readonly string[] = ["ls", "cat", "wc", "head", "grep"];
