import { endpoint as listSessions } from '../../functions/api/sessions/list/endpoint.ts';
import { useMay } from '../ui/caller-context.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { Sessions } from './sessions.tsx';

export function SessionsPage() {
  return useMay(listSessions) ? <Sessions /> : <NotAllowed title="Sessions" endpoint={listSessions} />;
}
