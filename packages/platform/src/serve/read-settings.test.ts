import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultSettings } from "../platform-settings.ts";
import { readSettings } from "./read-settings.ts";

function read(text?: string): unknown {
  const directory = mkdtempSync(join(tmpdir(), "haft-settings-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  if (text !== undefined) writeFileSync(join(directory, "settings.json"), text);
  return readSettings(directory);
}

describe("readSettings", () => {
  it("uses the defaults without settings", () => {
    expect(read()).toEqual(defaultSettings);
    expect(read("{}")).toEqual(defaultSettings);
  });

  it("changes only the given settings", () => {
    const given = { maxActiveVersions: 3, historyDays: null, runner: { blankWorkers: 5 } };
    expect(read(JSON.stringify(given))).toEqual({
      ...defaultSettings,
      maxActiveVersions: 3,
      runner: { ...defaultSettings.runner, blankWorkers: 5 },
    });
  });

  it.each([
    ["{", "is not valid JSON (line 1, column 2)"],
    ["[]", "the file must be an object"],
    ['{"runer": {}}', "unknown setting runer. Known settings: requestsPerMinute,"],
    ['{"runner": {"workers": 1}}', "unknown setting runner.workers"],
    ['{"runner": 1}', "runner must be an object"],
    ['{"tokenSeconds": "1h"}', 'tokenSeconds must be a number, not "1h"'],
    ['{"tokenSeconds": -1}', "tokenSeconds must be a number, not -1"],
    ['{"tokenSeconds": null}', "tokenSeconds must be a number, not null"],
    ['{"privateHosts": "yes"}', "privateHosts must be one of declared, never"],
  ])("refuses %s", (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });
});
