import type { Command, OptionTable } from "../command.ts";
import { commonWithout, waitOption } from "./option-groups.ts";

/** The options that `haft agent` and `haft acp` share. */
export const modelOptions: OptionTable = {
  model: {
    value: "PROVIDER/MODEL",
    description: "Model to use. Providers: openai, anthropic, google, openai-compatible",
    default: "HAFT_MODEL, else the settings",
  },
  "base-url": {
    value: "URL",
    description: "Address of the provider's API, such as a model server on this machine",
  },
  agent: {
    value: "NAME",
    description: "Agent to start with. .haft/agents/NAME.md defines one",
    default: "build",
  },
  plan: { description: "Use the agent that plans and changes nothing. Same as --agent plan" },
  "max-steps": {
    value: "N",
    description: "Maximum number of model requests per turn",
    default: "200",
  },
  "max-tokens": {
    value: "N",
    description: "Maximum number of tokens per turn, input and output, including subagents",
  },
  "max-cost": {
    value: "N",
    description:
      "Maximum cost per turn, including subagents, in the currency of the prices in the settings",
  },
  diagnostics: {
    description: "Show the model the language servers' diagnostics for files it changed",
  },
};

/** `haft agent` */
export const agent: Command = {
  details: `
With a prompt it answers that prompt and exits. Without one it starts a conversation in the terminal.

The answer goes to standard output as it arrives; calls, results and questions go to standard error.
Piped input is appended to the prompt. A pipe that sends nothing for three seconds is ignored, unless
one of the words is -. Without a terminal it cannot prompt: calls that need approval are refused
unless --yes or a rule allows them, or wait for haft inbox answer with --wait.

API keys come from the environment:
  openai             OPENAI_API_KEY
  anthropic          ANTHROPIC_API_KEY
  google             GOOGLE_GENERATIVE_AI_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY
  openai-compatible  OPENAI_COMPATIBLE_API_KEY, if the server requires one

Settings: .haft/settings.json of the project, then ~/.config/haft/settings.json:
  { "model": "openai/gpt-5", "agent": "build", "maxSteps": 50 }
--model overrides HAFT_MODEL, which overrides both files.

Exit codes: 0 the model ended its turn, even if calls were refused; 1 the model could not be reached;
2 the command line is wrong; 3 a limit was reached or a loop was detected; 130 interrupted.

In the terminal Ctrl-C interrupts the agent; /help lists the commands there.`,
  arguments: [
    {
      name: "PROMPT",
      description: "What to do. - stands for standard input",
      optional: true,
      repeats: true,
    },
  ],
  options: {
    ...modelOptions,
    session: {
      value: "NAME",
      description: "Session to start or continue",
      default: "a new session",
    },
    continue: { description: "Continue the last session of this workspace" },
    file: {
      value: "PATH",
      description: "Attach an image or a text file to the prompt",
      multiple: true,
      completes: "file",
    },
    ...waitOption("refuse them"),
    quiet: { description: "Print only the answer, once it is complete" },
    json: { description: "Print only events, one JSON object per line" },
  },
  groups: [commonWithout("session", "json")],
  examples: [
    'haft agent --model anthropic/claude-sonnet-4-5 "why does the test in src/parse fail?"',
    'haft agent --model openai-compatible/qwen3 --base-url http://127.0.0.1:8080/v1 "explain this project"',
    'git diff | haft agent --quiet "write a commit message for this"',
    'haft agent --session parser "now add a test" && haft sessions show parser',
    'haft agent --json --yes --max-steps 20 "fix the lint errors" > events.jsonl',
    'haft agent --headless --wait 8h "update the dependencies" & haft inbox',
    "haft agent --plan",
  ],
  load: async () => (await import("../commands/agent.ts")).runAgent,
};
