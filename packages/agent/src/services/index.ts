export {
  type AgentServices,
  type AgentServicesOptions,
  createAgentServices,
} from "./agent-services.ts";
