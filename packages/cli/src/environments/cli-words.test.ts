import { toCliWords } from "./cli-words.ts";

it.each([
  ["body.bump_type: Expected one of these.", "--bump: Expected one of these."],
  ["query.tag: Write key:value.", "--tag: Write key:value."],
  [
    "query.id.0: Expected text that matches ^[a-f0-9]{24}$.",
    "--id: Expected an ID, which has 24 hexadecimal digits.",
  ],
  [
    "body.tags.a b!: Expected text that matches ^\\s*\\w[\\w\\s]*$.",
    "--tag: Expected letters, digits, _ and spaces.",
  ],
  [
    "body.description: Expected at least 1 characters.",
    "--description: Expected at least 1 characters.",
  ],
  ["body.inputs.0.nonsensitive_user_variables.A B: No.", "--user-variable A B: No."],
  ["body.inputs.0.sensitive_user_variables.A: No.", "--sensitive-user-variable A: No."],
  ["inputs[1].input_parameters does not match", "input 2 does not match"],
  ["body.tools.0.version: No.", "--tool: No."],
  ["query.query: The query has no word.", "--search: The query has no word."],
  ["query.api_key.0: No.", "--key: No."],
  ["body.time_zone: No.", "--time-zone: No."],
  ["body.cron: No.", "cron: No."],
  ["path.invocation_id: No.", "ID: No."],
  ["duration must be from 1 seconds", "--duration must be from 1 seconds"],
  ["The Idempotency-Key is empty.", "--idempotency-key is empty."],
])("names options instead of fields in %j", (text, expected) => {
  expect(toCliWords(text)).toBe(expected);
});
