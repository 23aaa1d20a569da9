import "./styles/base.css";
import "./styles/controls.css";
import "./styles/content.css";
import "./styles/results.css";
import "./styles/shell.css";
import "./styles/lists.css";
import "./styles/pages.css";
import "./styles/narrow.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "preact";
import { queries } from "./api/queries.ts";
import { SignInGate } from "./shell/sign-in-gate.tsx";
import { applyTheme } from "./shell/theme.ts";

applyTheme();
// A link that is opened where the page is open already changes nothing but the fragment.
addEventListener("hashchange", () => {
  if (/^#(?:sign-in|token)=/u.test(location.hash)) location.reload();
});
render(
  <QueryClientProvider client={queries}>
    <SignInGate />
  </QueryClientProvider>,
  document.getElementById("app") as HTMLElement,
);
