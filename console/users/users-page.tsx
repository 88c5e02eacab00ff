import Link from '@cloudscape-design/components/link';
import { endpoint as listUsers } from '../../functions/api/users/list/endpoint.ts';
import { Rights } from '../objects/cells/rights.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { createdColumn, creatorColumn, type ListColumn, WholeListPage } from '../ui/whole-list-page.tsx';
import { Moment } from '../ui/moment.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { href } from '../ui/route.tsx';
import { Small } from '../ui/small.tsx';
import { type Dialogs, useDialogs } from '../ui/use-dialogs.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { InvitedDialog } from './invited-dialog.tsx';
import { UserMenu } from './user-menu.tsx';
import { stateText, UserState } from './user-state.tsx';
import { type User, usersRequest, useUsers } from './use-users.tsx';

export const USERS = ['configuration', 'users'];

const columnsOf = (narrow: boolean, dialogs: Dialogs): ListColumn<User>[] => [
  {
    id: 'name',
    header: 'User name',
    isRowHeader: true,
    cell: ({ user_id: id, user_name: name }) => (
      <Link href={href([...USERS, id])}>
        <Words text={name} />
      </Link>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    cell: (user) => (
      <>
        <Rights of={user} />
        {narrow && <Small>{stateText(user)}</Small>}
      </>
    ),
  },
  { id: 'state', header: 'State', isWideOnly: true, minWidth: 125, cell: (user) => <UserState user={user} /> },
  {
    id: 'used',
    header: 'Last log-in',
    isWideOnly: true,
    minWidth: 120,
    cell: ({ last_login_at: time }) => (time === undefined ? 'Never' : <Moment time={time} />),
  },
  createdColumn,
  creatorColumn,
  { id: 'actions', header: 'Actions', cell: (user) => <UserMenu user={user} dialogs={dialogs} isInline /> },
];

/** Configuration > Users: the people who log in by name. */
function Users() {
  const list = useUsers();
  const dialogs = useDialogs(list.reload);
  const { close, follow, show } = dialogs;
  return (
    <WholeListPage
      title="Users"
      above={[{ text: 'Configuration', href: href(USERS) }]}
      noun="users"
      description="Each person has a user, so that the audit names the person. The account admin is not in the list."
      list={list}
      idField="user_id"
      columns={columnsOf(useNarrow(), dialogs)}
      request={usersRequest}
      add={{
        text: 'Add user',
        act: () =>
          show(
            <AddUserDialog
              close={close}
              added={(invited) => follow(<InvitedDialog invited={invited} close={close} />)}
            />,
          ),
      }}
      empty={{
        title: 'No users yet',
        hint: 'Add one user per person. The person sets a password by the link of an invitation.',
      }}
      dialog={dialogs.open}
    />
  );
}

export const UsersPage = pageWithRole('Users', listUsers, Users);
