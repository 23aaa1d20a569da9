import unittest

from amigo_tool_scaffold import create_test_call
from src.tool import run_tool


class ToolTest(unittest.IsolatedAsyncioTestCase):
    async def test_greets_by_name_and_says_what_it_is_doing(self):
        call = create_test_call({"name": "Ada"})
        self.assertEqual(await call.run(run_tool), "Hello, Ada!")
        self.assertEqual(call.status_events, ["Greeting Ada"])

    async def test_greets_as_often_as_it_is_asked_to_with_the_users_own_name(self):
        call = create_test_call(
            {"name": "Ada", "times": 2},
            config={"GREETING": "Good day"},
            user_variables={"nickname": "Countess"},
        )
        self.assertEqual(await call.run(run_tool), "Good day, Countess!\nGood day, Countess!")

    async def test_says_that_it_is_a_simulation(self):
        call = create_test_call(
            {"name": "Ada"}, metadata={"invocation_mode": "conversation-simulation"}
        )
        self.assertTrue((await call.run(run_tool)).endswith("(simulated)"))


if __name__ == "__main__":
    unittest.main()
