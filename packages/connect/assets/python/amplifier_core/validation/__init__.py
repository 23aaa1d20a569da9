"""Tests that the suites of tool modules inherit. They need pytest and pytest-asyncio."""
