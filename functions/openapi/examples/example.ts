import type { Example } from '../../../shared/openapi/example.ts';
import type * as table from '../../api/endpoint-table.ts';

/** Examples of some endpoints, by the id of the endpoint and a name. */
export type Examples = Readonly<Partial<Record<keyof typeof table, Readonly<Record<string, Example>>>>>;
