"""A tool that greets. The caller gets what it returns, or the exception that it raises."""

from amigo_tool_scaffold.user_variables import UserVariables


async def run_tool(
    tool_input,
    metadata,
    config,
    conversation,
    send_status_event,
    user_variables: UserVariables,
):
    name = tool_input["name"]
    await send_status_event(f"Greeting {name}")

    # A variable of the tool: name it in requiredEnvvars, and set it with `haft tool env`.
    greeting = config.get("GREETING", "Hello")
    # A variable of the user. A sensitive one is never shown when it is printed by accident.
    shown = user_variables.get("nickname") or name
    lines = [f"{greeting}, {shown}!"] * tool_input.get("times", 1)

    if conversation is not None:
        lines.append("Good to talk with you.")
    # In a simulation nothing may have consequences: look up and send nothing for real.
    if metadata["invocation_mode"] == "conversation-simulation":
        lines.append("(simulated)")
    return "\n".join(lines)
