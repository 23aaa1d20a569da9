// @ts-check
import {
  forgetToken,
  getCalls,
  getStatus,
  getTools,
  hasToken,
  keepToken,
  postCall,
  takeTokenFromAddress,
  UnauthorizedError,
} from "./api.js";
import { describeReply, showApproval, showReply } from "./call-result.js";
import { byId, element, fill } from "./element.js";
import { showRecentCalls } from "./recent-calls.js";
import { createToolForm } from "./tool-form.js";
import { showTools } from "./tool-list.js";

/** @typedef {import("./api.js").Tool} Tool */
/** @typedef {import("./api.js").CallRequest} CallRequest */
/** @typedef {import("./tool-form.js").ToolForm} ToolForm */

const connectForm = byId("connect", HTMLFormElement);
const tokenInput = byId("token", HTMLInputElement);
const callForm = byId("call", HTMLFormElement);
const runButton = byId("run", HTMLButtonElement);
const cancelButton = byId("cancel", HTMLButtonElement);
const outcome = byId("outcome");
const outcomeStatus = byId("outcome-status");
const outcomeBody = byId("outcome-body");
const recent = { list: byId("recent"), empty: byId("no-recent") };

// A call that was cancelled ends on the server a little later.
const cancelledCallsAppearMs = 1_500;

/** What was entered for each tool stays while others are looked at. @type {Map<string, ToolForm>} */
const forms = new Map();
/** @type {{ tool: Tool, form: ToolForm } | undefined} */
let chosen;
/** @type {AbortController | undefined} */
let running;

connectForm.addEventListener("submit", (event) => {
  event.preventDefault();
  keepToken(tokenInput.value);
  connectForm.reset();
  void open();
});
callForm.addEventListener("submit", (event) => {
  event.preventDefault();
  runChosen();
});
callForm.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) callForm.requestSubmit();
});
cancelButton.addEventListener("click", () => running?.abort());
byId("refresh").addEventListener("click", () => void refreshRecent());
window.addEventListener("hashchange", () => {
  if (takeTokenFromAddress()) void open();
});

takeTokenFromAddress();
void open();

async function open() {
  if (!hasToken()) return askForToken();
  try {
    const [status, tools, calls] = await Promise.all([getStatus(), getTools(), getCalls()]);
    showStatus(status);
    forms.clear();
    byId("tool").hidden = tools.length === 0;
    showTools({ list: byId("tools"), empty: byId("no-tools") }, tools, choose);
    showRecentCalls(recent, calls);
    connectForm.hidden = true;
    byId("bench").hidden = false;
  } catch (error) {
    if (error instanceof UnauthorizedError) refuseToken(error);
    else askForToken(explain(error));
  }
}

/** @param {import("./api.js").Status} status */
function showStatus({ workspace, version, missing }) {
  fill(byId("workspace"), workspace);
  fill(byId("version"), version);
  byId("facts").hidden = false;
  fill(byId("missing"), ...missing.map((thing) => element("li", {}, thing)));
  byId("missing-section").hidden = missing.length === 0;
}

/** @param {string} [problem] */
function askForToken(problem = "") {
  fill(byId("connect-problem"), problem);
  byId("connect-problem").hidden = problem === "";
  byId("bench").hidden = true;
  byId("facts").hidden = true;
  connectForm.hidden = false;
  tokenInput.focus();
}

/** @param {UnauthorizedError} error */
function refuseToken(error) {
  forgetToken();
  askForToken(`${error.message} Each start of the workbench makes a new one.`);
}

/** @param {Tool} tool */
function choose(tool) {
  const form = forms.get(tool.name) ?? createToolForm(tool);
  forms.set(tool.name, form);
  chosen = { tool, form };
  fill(byId("tool-heading"), tool.name);
  fill(byId("tool-kind"), tool.kind);
  fill(byId("tool-description"), tool.description);
  fill(byId("fields"), form.node);
  if (running === undefined) outcome.hidden = true;
}

function runChosen() {
  if (chosen === undefined || running !== undefined) return;
  try {
    const { tool, form } = chosen;
    void run({ name: tool.name, arguments: form.read() });
  } catch {
    // What is not JSON says so itself.
    callForm.reportValidity();
  }
}

/** @param {CallRequest} call */
async function run(call) {
  const hadFocus = document.activeElement === runButton;
  running = new AbortController();
  showRunning(true);
  showOutcome(`${call.name} is running…`);
  try {
    const reply = await postCall(call, running.signal);
    const { approval } = reply;
    // What is approved is the very call that was asked about, whatever the form says by then.
    const decide = {
      approve: () => {
        byId("outcome-heading").focus();
        void run({ ...call, approve: approval ?? false });
      },
      decline: () => {
        byId("outcome-heading").focus();
        showOutcome(`${call.name} was not run.`);
      },
    };
    showOutcome(
      describeReply(call.name, reply),
      approval === undefined ? showReply(reply) : showApproval(approval, decide),
    );
  } catch (error) {
    if (error instanceof UnauthorizedError) refuseToken(error);
    else if (running.signal.aborted) showOutcome(`${call.name} was cancelled.`);
    else showOutcome(`${call.name} could not be called.`, showProblem(explain(error)));
  }
  const cancelled = running.signal.aborted;
  running = undefined;
  showRunning(false);
  if (hadFocus) runButton.focus({ preventScroll: true });
  void refreshRecent();
  if (cancelled) setTimeout(refreshRecent, cancelledCallsAppearMs);
}

/** @param {boolean} isRunning */
function showRunning(isRunning) {
  runButton.disabled = isRunning;
  cancelButton.hidden = !isRunning;
}

/**
 * @param {string} status
 * @param {...Node} body
 */
function showOutcome(status, ...body) {
  outcome.hidden = false;
  fill(outcomeStatus, status);
  // A region that was hidden until now would not be read out; this one always is.
  fill(byId("announcement"), status);
  fill(outcomeBody, ...body);
}

/** @param {string} text */
function showProblem(text) {
  return element("p", { className: "problem" }, text);
}

async function refreshRecent() {
  try {
    showRecentCalls(recent, await getCalls());
  } catch (error) {
    // The list stays as it was; a token that is no longer accepted has to be said.
    if (error instanceof UnauthorizedError) refuseToken(error);
  }
}

/** @param {unknown} error */
function explain(error) {
  // The error that fetch throws without a server does not help a person.
  if (error instanceof TypeError) return "The workbench does not answer. Is it still running?";
  return error instanceof Error ? error.message : String(error);
}
