/** The pages of one object in one script, with its history: who looks at lists needs none of it. */
export { AgentPage } from './agent-page.tsx';
export { NodePage } from './node-page.tsx';
export { ServicePage } from './service-page.tsx';
