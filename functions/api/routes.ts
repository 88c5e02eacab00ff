import { endpoints } from './endpoints.ts';

/**
 * Method and path of each endpoint. In a bundle the value itself replaces this module (infra/assets/bundle.ts): a
 * function that loads all contracts takes four times as long to start.
 */
export const routes = endpoints.map(({ method, path }) => ({ method, path }));
