import { endpoint as listApiKeys } from '../../functions/api-keys/list/endpoint.ts';
import { ApiKeys } from '../parts/api-keys.tsx';
import { useMay } from '../parts/caller-context.tsx';
import { NotAllowed } from '../parts/not-allowed.tsx';

export function ApiKeysPage() {
  return useMay(listApiKeys) ? <ApiKeys /> : <NotAllowed title="API keys" endpoint={listApiKeys} />;
}
