import type { Endpoint, Facade } from '../../contract/endpoint.ts';
import { facadeOf } from '../../../shared/http/router.ts';
import { facade as pmmHealth } from './health/contract.ts';
import { facade as pmmInventory } from './inventory/contract.ts';
import { facade as pmmKeys } from './keys/contract.ts';
import { facade as pmmManagement } from './management/contract.ts';
import { facade as pmmServer } from './server/contract.ts';

/**
 * The functions that serve the calls of PMM's clients, each of which has many paths. They are left out by the setting
 * `pmmCompatibility: false`. As the endpoint table: pure data.
 */
export const facades: readonly Facade[] = [pmmInventory, pmmManagement, pmmServer, pmmKeys, pmmHealth];

/** The paths of the facades outside /v1/, with a star for the rest of a path. */
export const otherApiPaths: readonly string[] = facades
  .flatMap(({ paths }) => paths)
  .filter((path) => !path.startsWith('/v1/'))
  .map((path) => path.replace(/\{[^}]+\+\}$/, '*'));

/** Whether a path belongs to the API, and not to the site: all below /v1/, and the facades' own. */
export const isApiPath = (path: string): boolean => path.startsWith('/v1/') || facadeOf(facades, path) !== undefined;

/** The module of the function with this contract, from the root of the repository. */
export const handlerPath = (contract: Endpoint | Facade): string =>
  `functions/${'paths' in contract ? '' : 'api/'}${contract.folder}/handler.ts`;
