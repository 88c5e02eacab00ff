import type { endpoint as inviteUser } from '../../functions/api/users/invite/endpoint.ts';
import type { ReplyOf } from '../api/client.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { momentText } from '../ui/time-format.ts';
import { invitationLink } from './invitation.tsx';

export type InvitedUser = ReplyOf<typeof inviteUser>;

/** Shows the link of an invitation once. */
export function InvitedDialog({ invited, close }: { invited: InvitedUser; close: () => void }) {
  const { user_name: name, invitation, role, invitation_expires_at: end } = invited;
  return (
    <SecretDialog
      header="User invited"
      warning={{
        header: 'Copy the link now',
        text: `It is shown only once. Its first holder sets the password of ${name} and gets the role ${role}.`,
      }}
      secrets={[
        { label: `Link for ${name}`, text: invitationLink(invited) },
        { label: 'Invitation, for programs', text: invitation },
      ]}
      notes={end === undefined ? [] : [`It works once, until ${momentText(end)}.`]}
      close={close}
    />
  );
}
