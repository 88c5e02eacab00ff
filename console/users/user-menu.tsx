import ButtonDropdown, { type ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import type { OpenUserWindow } from './user-window.tsx';
import type { User } from './use-users.tsx';

/** The actions on a user in its present state. */
const itemsOf = ({ state }: User): ButtonDropdownProps.Item[] => [
  { id: 'change', text: 'Change role' },
  { id: 'invite', text: 'Invite again' },
  { id: 'endSessions', text: 'End all sessions' },
  state === 'disabled' ? { id: 'enable', text: 'Enable' } : { id: 'disable', text: 'Disable' },
  { id: 'remove', text: 'Remove' },
];

interface Props {
  user: User;
  /** Whether the button is in a row of a table. */
  inline?: boolean;
  setOpen: (open: OpenUserWindow) => void;
}

/** The button with the actions on a user. */
export function UserMenu({ user, inline = false, setOpen }: Props) {
  return (
    <ButtonDropdown
      items={itemsOf(user)}
      variant={inline ? 'inline-icon' : 'normal'}
      ariaLabel={`Actions on ${user.user_name}`}
      expandToViewport
      onItemClick={({ detail: { id } }) => {
        if (id === 'change') setOpen({ kind: 'change', user });
        else if (id === 'invite' || id === 'endSessions' || id === 'enable' || id === 'disable' || id === 'remove')
          setOpen({ kind: 'action', action: id, user });
      }}
    >
      {inline ? undefined : 'Actions'}
    </ButtonDropdown>
  );
}
