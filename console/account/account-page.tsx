import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useSyncExternalStore } from 'react';
import { type Caller, session } from '../api/session.tsx';
import { Expiry } from '../objects/cells/expiry.tsx';
import { type Session, SessionTable, useSessions } from '../sessions/sessions-page.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { Moment } from '../ui/moment.tsx';
import { Small } from '../ui/small.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { Rights } from '../objects/cells/rights.tsx';
import { ChangePassword } from './change-password.tsx';

const methods = {
  password: 'Password',
  invitation: 'Invitation',
  oidc: 'Identity provider',
  device: 'Device',
} as const;

/** Whether the user logs in by an identity provider, and so has no password here. */
const isOfProvider = (user: string) => user.startsWith('oidc:');

/** The role bindings that give a session its role; of an older session without their names. */
function bindingsText({ bindings = [] }: Partial<Session>): string {
  if (bindings.length === 0) return 'Role bindings give this role to your account at the identity provider.';
  const [noun, verb] = bindings.length === 1 ? ['binding', 'gives'] : ['bindings', 'give'];
  return `The role ${noun} ${bindings.join(', ')} ${verb} this role to your account at the identity provider.`;
}

/** The reason for the rights of the caller. @param current the session of the caller, once it is loaded. */
function reasonOf({ kind, name, user_id: user }: Caller, current: Session | undefined): string {
  if (kind === 'api_key') return `The API key ${name} has this role.`;
  if (user === undefined) return `The account ${name} has this role.`;
  return isOfProvider(user) ? bindingsText(current ?? {}) : `An Admin gave this role to the user ${name}.`;
}

/** The log-in that opened the session. */
function logInPairs({ method, source_ip: address, created_at: time }: Session): KeyValuePairsProps.Pair[] {
  return [
    { label: 'Logged in', value: <Moment time={time} exact /> },
    { label: 'Logged in by', value: method === undefined ? '-' : methods[method] },
    { label: 'Source address', value: <Words text={address} /> },
  ];
}

/** When the key of the session ends, and until when the console renews it. */
function SessionEnd({ end }: { end: string | undefined }) {
  const until = useSyncExternalStore(session.subscribe, session.renewableUntil);
  if (end === undefined) return <>Never</>;
  return (
    <>
      <Expiry time={end} />
      {until !== undefined && (
        <Small>
          It is renewed until <Moment time={until} exact />, while the identity provider confirms you.
        </Small>
      )}
    </>
  );
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
            { label: 'Reason', value: <Words text={reasonOf(caller, current)} /> },
            ...(current === undefined ? [] : logInPairs(current)),
            {
              label: isSession ? 'Session expires' : 'Expires',
              value: <SessionEnd end={end} />,
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
