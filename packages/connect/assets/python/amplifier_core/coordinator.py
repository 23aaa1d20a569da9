"""The coordinator of modules."""

from haft_coordinator import Coordinator
from haft_coordinator import Coordinator as ModuleCoordinator

__all__ = ["Coordinator", "ModuleCoordinator"]
