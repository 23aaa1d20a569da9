"""The coordinator that Haft passes to a module's mount().

It is no part of amplifier_core, because it is also used beside an installed copy of that package.
"""

import inspect
import logging
import os

log = logging.getLogger(__name__)

# Mount points that hold several modules by name; the others hold one module.
NAMED_POINTS = ("tools", "providers", "agents")


async def settle(value):
    """Returns a value, or the result of an awaitable."""
    return await value if inspect.isawaitable(value) else value


class Hooks:
    """Runs the handlers that modules register for events. Haft's own events are not among them."""

    def __init__(self):
        self._handlers = []
        self._defaults = {}

    def register(self, event, handler, priority=0, name=None):
        entry = (event, priority, name or getattr(handler, "__name__", "handler"), handler)
        self._handlers.append(entry)
        self._handlers.sort(key=lambda one: one[1])

        def unregister():
            self._handlers = [one for one in self._handlers if one is not entry]

        return unregister

    on = register

    def unregister(self, name):
        self._handlers = [one for one in self._handlers if one[2] != name]

    def set_default_fields(self, **fields):
        self._defaults.update(fields)

    def list_handlers(self, event=None):
        found = {}
        for registered, _priority, name, _handler in self._handlers:
            if event in (None, registered):
                found.setdefault(registered, []).append(name)
        return found

    async def emit(self, event, data=None):
        """Runs the handlers in order. `deny` ends the run; `modify` changes the data for the next one."""
        from amplifier_core.models import HookResult

        data = {**self._defaults, **(data or {})}
        last = None
        for handler in self._find(event):
            result = await self._call(handler, event, data)
            action = getattr(result, "action", "continue")
            if action == "deny":
                return result
            if action == "modify" and result.data is not None:
                data = result.data
            if action != "continue":
                last = result
        return last or HookResult(action="continue", data=data)

    async def emit_and_collect(self, event, data=None, timeout=None):
        """Runs the handlers and returns the data of their results."""
        data = {**self._defaults, **(data or {})}
        results = [await self._call(handler, event, data) for handler in self._find(event)]
        found = [getattr(result, "data", None) for result in results]
        return [one for one in found if one is not None]

    def _find(self, event):
        return [handler for registered, _priority, _name, handler in self._handlers if registered == event]

    @staticmethod
    async def _call(handler, event, data):
        try:
            return await settle(handler(event, data))
        except Exception:
            log.exception("A hook on %s failed", event)
            return None


class Coordinator:
    """Collects the tools and contributions of a module."""

    def __init__(self, session=None, approval_system=None, display_system=None):
        self.session = session
        self.session_id = getattr(session, "session_id", "haft")
        self.parent_id = getattr(session, "parent_id", None)
        self.config = getattr(session, "config", {})
        self.approval_system = approval_system
        self.display_system = display_system
        self.loader = None
        self.session_state = {}
        self.hooks = Hooks()
        self.mount_points = {point: {} for point in NAMED_POINTS}
        self.mount_points.update(orchestrator=None, context=None, hooks=self.hooks)
        self.contributors = []
        self.cleanups = []
        self._capabilities = {"session.working_dir": os.getcwd()}

    async def mount(self, mount_point, module, name=None):
        if mount_point in NAMED_POINTS:
            name = name or getattr(module, "name", None) or type(module).__name__
            self.mount_points[mount_point][name] = module
        elif mount_point == "hooks":
            raise ValueError("Hooks are not mounted. Register them with coordinator.hooks.register(event, handler).")
        else:
            self.mount_points[mount_point] = module

    async def unmount(self, mount_point, name=None):
        if mount_point in NAMED_POINTS:
            self.mount_points[mount_point].pop(name, None)
        else:
            self.mount_points[mount_point] = None

    def get(self, mount_point, name=None):
        mounted = self.mount_points.get(mount_point)
        return mounted.get(name) if name is not None and mount_point in NAMED_POINTS else mounted

    def register_contributor(self, channel, name, callback):
        self.contributors.append((channel, name, callback))

    @property
    def channels(self):
        found = {}
        for channel, name, callback in self.contributors:
            found.setdefault(channel, []).append({"name": name, "callback": callback})
        return found

    async def collect_contributions(self, channel):
        collected = []
        for offered, name, callback in self.contributors:
            if offered != channel:
                continue
            try:
                value = await settle(callback())
            except Exception:
                log.exception("The contributor %s failed on %s", name, channel)
                continue
            if value is not None:
                collected.append(value)
        return collected

    def register_capability(self, name, value):
        self._capabilities[name] = value

    def get_capability(self, name):
        return self._capabilities.get(name)

    def register_cleanup(self, callback):
        self.cleanups.append(callback)

    async def cleanup(self):
        """Runs the cleanups, the latest first."""
        while self.cleanups:
            try:
                await settle(self.cleanups.pop()())
            except Exception:
                log.exception("A cleanup failed")
