/** The pages of one object in one script, with its history: who looks at lists needs none of it. */
export { AgentPage } from '../../objects/page/agent-page.tsx';
export { NodePage } from '../../objects/page/node-page.tsx';
export { ServicePage } from '../../objects/page/service-page.tsx';
