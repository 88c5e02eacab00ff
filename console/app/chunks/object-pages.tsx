/** The pages of one object in one script, with its history: who looks at lists needs none of it. */
export { AgentPage } from '../../objects/agent-page.tsx';
export { NodePage } from '../../objects/node-page.tsx';
export { ServicePage } from '../../objects/service-page.tsx';
