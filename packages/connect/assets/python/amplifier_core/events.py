"""The names of events: SESSION_START is "session:start", and so on."""

ALL_EVENTS = """
session:start session:end session:fork session:resume
prompt:submit prompt:complete
plan:start plan:end
provider:request provider:response provider:retry provider:error provider:throttle
provider:tool_sequence_repaired provider:resolve
llm:request llm:response
content_block:start content_block:delta content_block:end
thinking:delta thinking:final
tool:pre tool:post tool:error
context:pre_compact context:post_compact context:compaction context:include
orchestrator:complete execution:start execution:end
user:notification
artifact:write artifact:read
policy:violation approval:required approval:granted approval:denied
cancel:requested cancel:completed
module:on_session_ready_failed
""".split()

globals().update({event.upper().replace(":", "_"): event for event in ALL_EVENTS})
