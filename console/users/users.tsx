import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { endpoint as listUsers } from '../../functions/api/users/list/endpoint.ts';
import { Words } from '../ui/breakable-text.tsx';
import { Moment } from '../ui/moment.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { href } from '../ui/route.tsx';
import { Small } from '../ui/small.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { EmptyTable, WholeTable } from '../ui/whole-table.tsx';
import { UserMenu } from './user-menu.tsx';
import { Rights } from '../objects/cells/rights.tsx';
import { stateText, UserState } from './user-state.tsx';
import { type OpenUserWindow, UserWindow } from './user-window.tsx';
import { type User, usersRequest, useUsers } from './use-users.tsx';

export const USERS = ['configuration', 'users'];

function columnsOf(narrow: boolean, setOpen: (open: OpenUserWindow) => void): TableProps.ColumnDefinition<User>[] {
  const wide: TableProps.ColumnDefinition<User>[] = [
    { id: 'state', header: 'State', minWidth: 125, cell: (user) => <UserState user={user} /> },
    {
      id: 'used',
      header: 'Last log-in',
      minWidth: 120,
      cell: ({ last_login_at: time }) => (time === undefined ? 'Never' : <Moment time={time} />),
    },
    { id: 'created', header: 'Created', cell: ({ created_at: time }) => <Moment time={time} exact /> },
    { id: 'creator', header: 'Created by', cell: ({ created_by: { name } }) => <Words text={name} /> },
  ];
  return [
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
    ...(narrow ? [] : wide),
    { id: 'actions', header: 'Actions', cell: (user) => <UserMenu user={user} inline setOpen={setOpen} /> },
  ];
}

/** Configuration > Users: the people who log in by name. */
function Users() {
  usePageTitle('Users', [{ text: 'Configuration', href: href(USERS) }]);
  const narrow = useNarrow();
  const [open, setOpen] = useState<OpenUserWindow>();
  const list = useUsers();
  const users = list.value ?? [];
  const addButton = (
    <Button variant="primary" onClick={() => setOpen({ kind: 'add' })}>
      Add user
    </Button>
  );
  return (
    <>
      <WholeTable
        title="Users"
        noun="users"
        description="Each person has a user, so that the audit names the person. The account admin is not in the list."
        list={list}
        items={users}
        count={users.length}
        idField="user_id"
        columns={columnsOf(narrow, setOpen)}
        request={usersRequest}
        action={addButton}
        empty={
          <EmptyTable
            title="No users yet"
            hint="Add one user per person. The person sets a password by the link of an invitation."
            action={addButton}
          />
        }
      />
      {open !== undefined && <UserWindow open={open} setOpen={setOpen} changed={list.reload} />}
    </>
  );
}

export const UsersPage = pageWithRole('Users', listUsers, Users);
