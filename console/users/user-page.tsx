import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { endpoint as listUsers } from '../../functions/api/users/list/endpoint.ts';
import { Expiry } from '../objects/cells/expiry.tsx';
import { SessionTable, useSessions } from '../sessions/sessions-page.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Moment } from '../ui/moment.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { go, href, useRoute } from '../ui/route.tsx';
import { useDialogs } from '../ui/use-dialogs.tsx';
import { UserMenu } from './user-menu.tsx';
import { Rights } from '../objects/cells/rights.tsx';
import { UserState } from './user-state.tsx';
import { USERS } from './users-page.tsx';
import { type User, useUsers } from './use-users.tsx';

const timeOf = (time: string | undefined) => (time === undefined ? 'Never' : <Moment time={time} exact />);

function UserDetails({ user }: { user: User }) {
  const { created_by: creator, invitation_expires_at: invitationEnd } = user;
  return (
    <KeyValuePairs
      columns={4}
      items={[
        { label: 'Role', value: <Rights of={user} /> },
        { label: 'State', value: <UserState user={user} /> },
        { label: 'Last log-in', value: timeOf(user.last_login_at) },
        { label: 'Password set', value: timeOf(user.password_set_at) },
        { label: 'Created', value: <Moment time={user.created_at} exact /> },
        { label: 'Created by', value: <Words text={creator.name} /> },
        ...(invitationEnd === undefined
          ? []
          : [{ label: 'Invitation expires', value: <Expiry time={invitationEnd} /> }]),
      ]}
    />
  );
}

/** A user with its sessions. */
function FoundUser({ user, reload }: { user: User; reload: () => void }) {
  const sessions = useSessions(user.user_id);
  const dialogs = useDialogs(() => {
    reload();
    sessions.reload();
  });
  const removed = () => {
    dialogs.close();
    reload();
    go(href(USERS));
  };
  return (
    <SpaceBetween size="l">
      <Header variant="h1" actions={<UserMenu user={user} dialogs={dialogs} removed={removed} />}>
        <bdi className="any-word">{user.user_name}</bdi>
      </Header>
      <Container header={<Header variant="h2">Details</Header>}>
        <UserDetails user={user} />
      </Container>
      <SessionTable title="Sessions" list={sessions} />
      {dialogs.open}
    </SpaceBetween>
  );
}

/** Configuration > Users > a user. */
function UserOfRoute() {
  const [, , id = ''] = useRoute().segments;
  usePageTitle(id, [
    { text: 'Configuration', href: href(USERS) },
    { text: 'Users', href: href(USERS) },
  ]);
  const { value: users, failure, reload } = useUsers();
  const user = users?.find(({ user_id }) => user_id === id);
  if (user !== undefined) return <FoundUser key={id} user={user} reload={reload} />;
  if (failure !== undefined)
    return <FailureAlert failure={failure} what="The user could not be loaded" retry={reload} />;
  if (users === undefined) return <PageLoading />;
  return (
    <SpaceBetween size="m">
      <Header variant="h1">
        <bdi className="any-word">{id}</bdi>
      </Header>
      <Box>This user does not exist. It may have been removed.</Box>
    </SpaceBetween>
  );
}

export const UserPage = pageWithRole('User', listUsers, UserOfRoute);
