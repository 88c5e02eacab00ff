import { ActionMenu } from '../ui/action-menu.tsx';
import type { Dialogs } from '../ui/use-dialogs.tsx';
import { ChangeUserDialog } from './change-user-dialog.tsx';
import { InvitedDialog } from './invited-dialog.tsx';
import { UserActionDialog, type UserActionName } from './user-action-dialog.tsx';
import type { User } from './use-users.tsx';

interface Props {
  user: User;
  dialogs: Dialogs;
  /** Called after the removal. Default: as after each change. */
  removed?: () => void;
  /** Whether the button is in a row of a table. */
  isInline?: boolean;
}

/** The button with the actions on a user in its present state. */
export function UserMenu({ user, dialogs, removed = dialogs.done, isInline = false }: Props) {
  const { close, done, follow, show } = dialogs;
  const ask = (id: UserActionName, text: string) => ({
    id,
    text,
    act: () =>
      show(
        <UserActionDialog
          user={user}
          action={id}
          close={close}
          done={id === 'remove' ? removed : done}
          invited={(invited) => follow(<InvitedDialog invited={invited} close={close} />)}
        />,
      ),
  });
  return (
    <ActionMenu
      name={user.user_name}
      isInline={isInline}
      actions={[
        {
          id: 'change',
          text: 'Change role',
          act: () => show(<ChangeUserDialog user={user} close={close} done={done} />),
        },
        ask('invite', 'Invite again'),
        ask('endSessions', 'End all sessions'),
        user.state === 'disabled' ? ask('enable', 'Enable') : ask('disable', 'Disable'),
        ask('remove', 'Remove'),
      ]}
    />
  );
}
