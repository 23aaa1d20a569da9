import { commonHelpWithout } from "../../options/common-option-table.ts";

/** Everything `haft agent --help` prints. */
export const agentHelp: string = `Have an agent work in the workspace: a model that uses the tools until it is done.

Usage: haft agent [OPTIONS] PROMPT …     answer one prompt; - stands for standard input
       haft agent [OPTIONS]              talk with it in the terminal

The answer goes to standard output as it comes; calls, results and questions go to standard error.
What is piped in is put behind the prompt; a pipe that stays silent for three seconds is not waited
for, unless a - among the words says so. Without a terminal nobody is asked: calls that need a
word are refused unless --yes or a rule allows them.

      --model PROVIDER/MODEL
                        who answers; providers: openai, anthropic, google, openai-compatible
      --base-url URL    where the provider is, such as a model server on this machine
      --agent NAME      which agent acts (default: build); .haft/agents/NAME.md makes one
      --plan            the agent that plans and changes nothing, as --agent plan
      --session NAME    start a session of this name, or go on with it (default: a new one)
      --continue        go on with the last session of this workspace
      --file PATH       attach an image or a text to the prompt, repeatable
      --max-steps N     at most so many requests to the model (default: 200)
      --max-tokens N    at most so many tokens, in and out, those of subagents included
      --max-cost N      at most so much money, likewise, in the currency of the prices in the settings
      --diagnostics     tell the model what language servers say of the files it changed
      --quiet           print only the answer, once it is whole
      --json            print only events, one JSON object a line

Examples:
  haft agent --model anthropic/claude-sonnet-4-5 "why does the test in src/parse fail?"
  haft agent --model openai-compatible/qwen3 --base-url http://127.0.0.1:8080/v1 "explain this project"
  git diff | haft agent --quiet "write a commit message for this"
  haft agent --session parser "now add a test" && haft sessions show parser
  haft agent --json --yes --max-steps 20 "fix the lint errors" > events.jsonl
  haft agent --plan

Keys come from the environment:
  openai             OPENAI_API_KEY
  anthropic          ANTHROPIC_API_KEY
  google             GOOGLE_GENERATIVE_AI_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY
  openai-compatible  OPENAI_COMPATIBLE_API_KEY, if the server wants one

Settings: ~/.config/haft/settings.json, and .haft/settings.json of the project, which goes before it:
  { "model": "openai/gpt-5", "agent": "build", "maxSteps": 50 }
HAFT_MODEL goes before both, --model before all.

Exit codes: 0 the model ended its turn, also if calls were refused; 1 it could not be asked; 2 the
command line is wrong; 3 a limit, or a loop, ended it; 130 it was stopped.

In the terminal Ctrl-C stops what the agent is doing; /help lists the commands there.

${commonHelpWithout("session", "json")}`;
