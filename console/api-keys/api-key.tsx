import type { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import type { ReplyOf } from '../api/client.tsx';

export type ApiKey = ReplyOf<typeof listApiKeys>['api_keys'][number];
