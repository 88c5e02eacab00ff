import { endpoints } from '../../functions/api/endpoints.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { isSimpleRead } from './is-simple-read.ts';

export const simpleReads: readonly Endpoint[] = endpoints.filter(isSimpleRead);
