export { Removed as RemovedPage } from '../parts/removed.tsx';
