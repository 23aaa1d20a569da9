/** Everything that a role can allow. A route names the one that it needs. */
export const permissions = [
  "Organization:CreateAPIKey",
  "Organization:GetAPIKey",
  "Organization:DeleteAPIKey",
  "Organization:CreateRole",
  "Organization:GetRole",
  "Organization:DeleteRole",
  "Organization:GetAudit",
  "User:CreateUser",
  "User:GetUser",
  "User:UpdateUserInfo",
  "Tool:CreateTool",
  "Tool:GetTool",
  "Tool:ModifyTool",
  "Tool:DeleteTool",
  "Tool:TestTool",
  "Tool:InvokeTool",
  "Tool:AccessRepo",
  "Conversation:GetInteractionInsights",
  "Conversation:RollBackInteraction",
  "Simulation:GetSimulationUnitTestSetRun",
] as const;

/** `Resource:Action` */
export type Permission = (typeof permissions)[number];

/** The role of an organization's first user, which may do everything. */
export const administratorRole = "DefaultAdministratorRole";
