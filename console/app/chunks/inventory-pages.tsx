/** The lists of the inventory in one script: they share most of their components. */
export { AgentsPage } from '../../objects/list/agents-page.tsx';
export { NodesPage } from '../../objects/list/nodes-page.tsx';
export { NotFoundPage } from '../not-found-page.tsx';
export { ServicesPage } from '../../objects/list/services-page.tsx';
