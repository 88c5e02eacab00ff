export { Removed as RemovedPage } from './removed.tsx';
