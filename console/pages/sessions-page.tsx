import { endpoint as listSessions } from '../../functions/sessions/list/endpoint.ts';
import { useMay } from '../parts/caller-context.tsx';
import { NotAllowed } from '../parts/not-allowed.tsx';
import { Sessions } from '../parts/sessions.tsx';

export function SessionsPage() {
  return useMay(listSessions) ? <Sessions /> : <NotAllowed title="Sessions" endpoint={listSessions} />;
}
