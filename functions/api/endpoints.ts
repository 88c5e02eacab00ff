import type { Endpoint } from '../../shared/http/endpoint.ts';
import * as table from './endpoint-table.ts';

/** Every endpoint there is, in the order of their ids. Pure data: loads no handler and no SDK. */
export const endpoints: readonly Endpoint[] = Object.values(table);
