import { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import { ApiKeys } from './api-keys.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';

export function ApiKeysPage() {
  return useMay(listApiKeys) ? <ApiKeys /> : <NotAllowed title="API keys" endpoint={listApiKeys} />;
}
