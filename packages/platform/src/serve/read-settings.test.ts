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
  it("has what holds by default where nothing is said", () => {
    expect(read()).toEqual(defaultSettings);
    expect(read("{}")).toEqual(defaultSettings);
  });

  it("changes what is said and nothing else", () => {
    const given = { mostActiveVersions: 3, historyDays: null, runner: { blankWorkers: 5 } };
    expect(read(JSON.stringify(given))).toEqual({
      ...defaultSettings,
      mostActiveVersions: 3,
      runner: { ...defaultSettings.runner, blankWorkers: 5 },
    });
  });

  it.each([
    ["{", "is no JSON"],
    ["[]", "it is to be an object"],
    ['{"runer": {}}', "there is no setting runer. Settings: requestsPerMinute,"],
    ['{"runner": {"workers": 1}}', "there is no setting runner.workers"],
    ['{"runner": 1}', "runner is to be an object"],
    ['{"tokenSeconds": "1h"}', 'tokenSeconds is to be a number, not "1h"'],
    ['{"tokenSeconds": -1}', "tokenSeconds is to be a number, not -1"],
    ['{"tokenSeconds": null}', "tokenSeconds is to be a number, not null"],
    ['{"privateHosts": "yes"}', "privateHosts is to be one of declared, never"],
  ])("refuses %s", (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });
});
