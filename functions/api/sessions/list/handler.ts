import { timeText } from '../../../../shared/core/seconds.ts';
import { timeOf } from '../../../domain/fields/time.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listSessions, type Session, type SessionsOf } from '../../../store/credentials/sessions.ts';
import { ownSessions } from '../own-sessions.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query, caller }, dependencies) => {
  const { table, clock } = dependencies;
  const now = clock();
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listSessions(table, { of: sessionsOf(ownSessions(caller()), query.user_id), now }, page),
  );
  return { body: { sessions: objects.map((session) => shown(session, caller().keyId)), ...token } };
});

/** Of the visible sessions, those of this user. */
function sessionsOf(visible: SessionsOf, user: string | undefined): SessionsOf {
  if (user === undefined) return visible;
  if (visible === 'everybody') return { user };
  return visible !== 'nobody' && visible.user === user ? visible : 'nobody';
}

function shown(session: Session, callerId: string) {
  const { key_id, name, user_id, role, owners, method, bindings, device } = session;
  const { created_at, expires_at, last_used_at, source_ip } = session;
  return {
    session_id: key_id,
    user_name: name,
    user_id,
    role,
    owners,
    method,
    bindings,
    device,
    created_at,
    expires_at: timeText(expires_at),
    ...timeOf('last_used_at', last_used_at),
    source_ip,
    ...(key_id === callerId ? { current: true as const } : {}),
  };
}
