import { AddUserDialog } from './add-user-dialog.tsx';
import { ChangeUserDialog } from './change-user-dialog.tsx';
import { type InvitedUser, InvitedDialog } from './invited-dialog.tsx';
import { UserActionDialog, type UserActionName } from './user-action-dialog.tsx';
import type { User } from './use-users.tsx';

export type OpenUserWindow =
  | { kind: 'add' }
  | { kind: 'invited'; invited: InvitedUser }
  | { kind: 'change'; user: User }
  | { kind: 'action'; action: UserActionName; user: User };

interface Props {
  open: OpenUserWindow;
  setOpen: (open: OpenUserWindow | undefined) => void;
  /** Called after each change. @param removed whether the user no longer exists. */
  changed: (removed: boolean) => void;
}

/** The window about users that is open. */
export function UserWindow({ open, setOpen, changed }: Props) {
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    changed(open.kind === 'action' && open.action === 'remove');
  };
  const invite = (invited: InvitedUser) => {
    setOpen({ kind: 'invited', invited });
    changed(false);
  };
  switch (open.kind) {
    case 'add':
      return <AddUserDialog close={close} added={invite} />;
    case 'invited':
      return <InvitedDialog invited={open.invited} close={close} />;
    case 'change':
      return <ChangeUserDialog user={open.user} close={close} done={done} />;
    case 'action':
      return <UserActionDialog user={open.user} action={open.action} close={close} done={done} invited={invite} />;
  }
}
