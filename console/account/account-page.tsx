import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Caller } from '../api/session.tsx';
import { Expiry } from '../objects/cells/expiry.tsx';
import { type Session, SessionTable, useSessions } from '../sessions/sessions.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { Moment } from '../ui/moment.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { Rights } from '../objects/cells/rights.tsx';
import { ChangePassword } from './change-password.tsx';

const methods = { password: 'Password', invitation: 'Invitation', oidc: 'Identity provider' } as const;

/** Whether the user logs in by an identity provider, and so has no password here. */
const isOfProvider = (user: string) => user.startsWith('oidc:');

/** The reason for the rights of the caller. */
function reasonOf({ kind, name, user_id: user }: Caller): string {
  if (kind === 'api_key') return `The API key ${name} has this role.`;
  if (user === undefined) return `The account ${name} has this role.`;
  return isOfProvider(user)
    ? 'Role bindings give this role to your account at the identity provider.'
    : `An Admin gave this role to the user ${name}.`;
}

/** The log-in that opened the session. */
function logInPairs({ method, source_ip: address, created_at: time }: Session): KeyValuePairsProps.Pair[] {
  return [
    { label: 'Logged in', value: <Moment time={time} exact /> },
    { label: 'Logged in by', value: method === undefined ? '-' : methods[method] },
    { label: 'Source address', value: <Words text={address} /> },
  ];
}

/** Your account: the rights of the caller, their reason, the end of the session, and the own password. */
export function AccountPage() {
  usePageTitle('Your account');
  const caller = useCaller();
  const { kind, name, user_id: user, expires_at: end, rate_limit_per_minute: rate } = caller;
  const isSession = kind === 'session';
  const sessions = useSessions(isSession ? (user ?? name) : undefined);
  const current = sessions.value?.find((session) => session.current === true);
  return (
    <SpaceBetween size="l">
      <Header variant="h1">Your account</Header>
      <Container header={<Header variant="h2">Who you are</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            { label: isSession ? 'User name' : 'API key', value: <Words text={name} /> },
            { label: 'Role', value: <Rights of={caller} /> },
            { label: 'Reason', value: reasonOf(caller) },
            ...(current === undefined ? [] : logInPairs(current)),
            {
              label: isSession ? 'Session expires' : 'Expires',
              value: end === undefined ? 'Never' : <Expiry time={end} />,
            },
            ...(rate === undefined ? [] : [{ label: 'Rate limit', value: `${rate} requests per minute` }]),
          ]}
        />
      </Container>
      {user !== undefined && !isOfProvider(user) && <ChangePassword user={user} changed={sessions.reload} />}
      {isSession && <SessionTable title="Your sessions" list={sessions} />}
    </SpaceBetween>
  );
}
