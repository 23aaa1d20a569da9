/** Every permission that a role can grant. A route names those that it needs. */
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
  "Tool:ModifyToolSet",
  "Inbox:GetItem",
  "Inbox:AnswerItem",
  "Webhook:GetWebhook",
  "Webhook:ModifyWebhook",
  "Machine:Read",
  "Machine:Undo",
  "Conversation:GetInteractionInsights",
  "Conversation:RollBackInteraction",
  "Simulation:GetSimulationUnitTestSetRun",
] as const;

/** A permission, as `Resource:Action`. */
export type Permission = (typeof permissions)[number];

/** The role of an organization's first user. It has every permission. */
export const administratorRole = "DefaultAdministratorRole";

/** In a stored role: all permissions, including those that are added later. */
export const everyPermission = "*";
