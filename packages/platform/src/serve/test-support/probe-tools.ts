import { nodeProject, type ProjectFiles, pythonProject } from "./tool-projects.ts";

/** What the probes can be asked to do: the member `do` of their input. */
export type ProbeDeed =
  | "config"
  | "user"
  | "metadata"
  | "count"
  | "leak"
  | "throw"
  | "say"
  | "wait"
  | "fetch";

/** A tool of Node that tells what it was given. */
export function nodeProbe(name: string, manifest: object = {}): ProjectFiles {
  return nodeProject(name, manifest, nodeCode);
}

/** The same in Python. */
export function pythonProbe(name: string, manifest: object = {}): ProjectFiles {
  return pythonProject(name, manifest, pythonCode);
}

const nodeCode = `
let calls = 0;
const deeds = {
  config: ({ config }) => config,
  user: ({ userVariables }) => [userVariables.get("nickname") ?? null, String(userVariables)],
  metadata: ({ metadata }) => metadata,
  count: () => (calls += 1),
  // Everything that a careless tool does with secrets.
  leak: ({ userVariables, config }) => {
    const found = [userVariables.get("card"), config.API_TOKEN].join(" ");
    console.log("found", found);
    console.error("found", found);
    return found;
  },
  throw: ({ userVariables, config }) => {
    throw new RangeError("out of range " + [userVariables.get("card"), config.API_TOKEN].join(" "));
  },
  say: async ({ toolInput, sendStatusEvent }) => {
    await sendStatusEvent("one");
    await sendStatusEvent({ two: 2 });
    return toolInput.text;
  },
  wait: async ({ toolInput, sendStatusEvent }) => {
    await sendStatusEvent("waiting");
    await new Promise((resolve) => setTimeout(resolve, toolInput.ms));
    return "waited";
  },
  fetch: async ({ toolInput }) => {
    const response = await fetch(toolInput.url, { redirect: "manual" });
    return response.status + " " + (await response.text());
  },
};
export const runTool = async (call) => {
  const given = await deeds[call.toolInput.do](call);
  return typeof given === "string" ? given : JSON.stringify(given);
};
`;

const pythonCode = `
import asyncio
import json
import sys
import urllib.request

calls = 0


async def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    global calls
    deed = tool_input["do"]
    if deed == "config":
        return json.dumps(dict(config))
    if deed == "user":
        return json.dumps([user_variables.get("nickname"), str(user_variables)])
    if deed == "metadata":
        return json.dumps(metadata)
    if deed == "count":
        calls += 1
        return str(calls)
    if deed == "leak":
        found = f"{user_variables.get('card')} {config.get('API_TOKEN')}"
        print("found", found)
        print("found", found, file=sys.stderr)
        return found
    if deed == "throw":
        raise IndexError(f"out of range {user_variables.get('card')} {config.get('API_TOKEN')}")
    if deed == "say":
        await send_status_event("one")
        await send_status_event({"two": 2})
        return tool_input["text"]
    if deed == "wait":
        await send_status_event("waiting")
        await asyncio.sleep(tool_input["ms"] / 1000)
        return "waited"
    with urllib.request.urlopen(tool_input["url"], timeout=5) as response:
        return f"{response.status} {response.read().decode()}"
`;
