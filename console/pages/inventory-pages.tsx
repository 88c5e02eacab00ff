/** The lists of the inventory in one script: each alone is small, and what they show it with is the same. */
export { AgentsPage } from './agents-page.tsx';
export { ClusterPage } from './cluster-page.tsx';
export { ClustersPage } from './clusters-page.tsx';
export { NodesPage } from './nodes-page.tsx';
export { NotFoundPage } from './not-found-page.tsx';
export { ServicesPage } from './services-page.tsx';
