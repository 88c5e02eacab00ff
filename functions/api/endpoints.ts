import type { Endpoint } from '../contract/endpoint.ts';
import * as table from './endpoint-table.ts';

/** All endpoints by their ids. Pure data: imports no handler and no SDK. */
export const endpoints: readonly Endpoint[] = Object.values(table);
