import {
  type ArgPattern,
  compileRequirements,
  type RequirementSet,
  type ShellRunRequirement,
} from "@haft/contract";
import { fieldError, readList, readObject, readText, readTexts } from "./fields.ts";

// Variables that every host defines. Their values don't matter here.
const standardVariables = {
  workspace: ["/workspace"],
  "ad-hoc": ["/ad-hoc"],
  "user-data": ["/user-data"],
  "allowed-hosts": ["example.com"],
};

/** Reads the requirements of an agent. Throws if a variable or pattern is not valid. */
export function readRequires(value: unknown): RequirementSet {
  const { fs, net, shell, capabilities } = readObject("requires", value, [
    "fs",
    "net",
    "shell",
    "capabilities",
  ]);
  const requires: RequirementSet = {
    ...(fs === undefined ? {} : { fs: readFiles(fs) }),
    ...(net === undefined ? {} : { net: readNet(net) }),
    ...(shell === undefined ? {} : { shell: readShell(shell) }),
    ...(capabilities === undefined
      ? {}
      : { capabilities: readTexts("requires.capabilities", capabilities) }),
  };
  try {
    compileRequirements(requires, standardVariables);
  } catch (error) {
    throw fieldError("requires", `can't be used. ${(error as Error).message}`);
  }
  return requires;
}

function readFiles(value: unknown): NonNullable<RequirementSet["fs"]> {
  const { read, write } = readObject("requires.fs", value, ["read", "write"]);
  return {
    ...(read === undefined ? {} : { read: readTexts("requires.fs.read", read) }),
    ...(write === undefined ? {} : { write: readTexts("requires.fs.write", write) }),
  };
}

function readNet(value: unknown): NonNullable<RequirementSet["net"]> {
  const { hosts } = readObject("requires.net", value, ["hosts"]);
  return hosts === undefined ? {} : { hosts: readTexts("requires.net.hosts", hosts) };
}

function readShell(value: unknown): ShellRunRequirement[] {
  return readList("requires.shell", value).map((item, at) => {
    const field = `requires.shell[${at}]`;
    const { cmd, args } = readObject(field, item, ["cmd", "args"]);
    const command = readText(`${field}.cmd`, cmd);
    if (args === undefined) return { cmd: command };
    const patterns = readList(`${field}.args`, args);
    return {
      cmd: command,
      args: patterns.map((pattern, index) => readArgument(`${field}.args[${index}]`, pattern)),
    };
  });
}

function readArgument(field: string, value: unknown): ArgPattern {
  if (typeof value === "string") return value;
  const { wildcard, prefix } = readObject(field, value, ["wildcard", "prefix"]);
  if (wildcard === true && prefix === undefined) return { wildcard };
  if (typeof prefix === "string" && wildcard === undefined) return { prefix };
  throw fieldError(field, "must be a string, {wildcard: true} or {prefix: TEXT}.");
}
