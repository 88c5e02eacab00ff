import type { Endpoint, Facade } from './contract/endpoint.ts';
import { facadeOf } from '../shared/http/router.ts';
import { facade as endProviderSession } from './identity/log-out/contract.ts';
import { facade as opamp } from './opamp/exchange/contract.ts';
import { facade as pmmHealth } from './pmm/facades/health/contract.ts';
import { facade as pmmInventory } from './pmm/facades/inventory/contract.ts';
import { facade as pmmKeys } from './pmm/facades/keys/contract.ts';
import { facade as pmmManagement } from './pmm/facades/management/contract.ts';
import { facade as pmmServer } from './pmm/facades/server/contract.ts';

const ofPmm: readonly Facade[] = [pmmInventory, pmmManagement, pmmServer, pmmKeys, pmmHealth];

/**
 * The functions with a wire format of their own: OpAMP, the log-out by an identity provider, and those that serve the calls of PMM's clients, each of which has
 * many paths. As the endpoint table: pure data.
 */
export const facades: readonly Facade[] = [...ofPmm, opamp, endProviderSession];

/** The functions that a setting serves: `pmmCompatibility: false` leaves out those of PMM. */
export const servedFacades = (pmmCompatibility: boolean | undefined): readonly Facade[] =>
  pmmCompatibility === false ? facades.filter((facade) => !ofPmm.includes(facade)) : facades;

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
