"""Fixtures for the tests of tool modules. pytest loads them from PYTHONPATH."""

import importlib
import sys
from pathlib import Path

import pytest

from haft_coordinator import settle

try:
    from pytest_asyncio import fixture as async_fixture
except ImportError:  # Then tests that need these fixtures can't run either.
    async_fixture = pytest.fixture


@pytest.fixture
def module_path(request):
    """The package amplifier_module_* beside the tests, or above them."""
    for directory in request.path.parents:
        found = sorted(directory.glob("amplifier_module_*/__init__.py"))
        if found:
            return found[0].parent
    return pytest.skip("there is no package amplifier_module_* above this test")


@pytest.fixture
def module_type(module_path):
    """Such as "tool"."""
    return module_path.name.split("_")[2]


@pytest.fixture
def coordinator():
    from amplifier_core.testing import MockCoordinator

    return MockCoordinator()


@async_fixture
async def tool_module(module_path: Path, coordinator):
    """The first tool that the module mounts."""
    sys.path.insert(0, str(module_path.parent))
    try:
        module = importlib.import_module(module_path.name)
    finally:
        sys.path.remove(str(module_path.parent))
    returned = await settle(module.mount(coordinator, {}))
    tools = list(coordinator.mount_points["tools"].values())
    is_tool = callable(getattr(returned, "execute", None))
    if not tools and not is_tool:
        pytest.fail(f"{module_path.name} mounted no tool")
    yield tools[0] if tools else returned
    if callable(returned) and not is_tool:
        await settle(returned())
    await coordinator.cleanup()
