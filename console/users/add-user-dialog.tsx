import { endpoint as addUser } from '../../functions/api/users/add/endpoint.ts';
import { call } from '../api/client.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { filledFields, useRequestForm } from '../ui/use-request-form.tsx';
import type { InvitedUser } from './invited-dialog.tsx';
import { rightsFields, type UserRights, UserRightsFields } from './user-fields.tsx';

interface Props {
  close: () => void;
  added: (user: InvitedUser) => void;
}

interface Draft extends UserRights {
  user_name: string;
  invitation_time_to_live: string;
}

const start: Draft = { user_name: '', role: 'Viewer', owners: [], invitation_time_to_live: '' };

export function AddUserDialog({ close, added }: Props) {
  const form = useRequestForm({
    endpoint: addUser,
    start,
    bodyOf: ({ user_name, invitation_time_to_live, ...rights }) => ({
      user_name,
      ...rightsFields(rights),
      ...filledFields({ invitation_time_to_live }),
    }),
    send: async (body) => added(await call(addUser, { body })),
    unique: 'user_name',
  });
  return (
    <FormDialog header="Add user" submitText="Add" form={form} failureTitle="The user could not be added" close={close}>
      <TextField
        label="User name"
        description="The person logs in with it, and the audit shows it. It cannot be changed later."
        placeholder="maria.lopez"
        ariaRequired
        {...form.fields.user_name}
      />
      <UserRightsFields fields={form.fields} />
      <TextField
        label="Time to live of the invitation"
        description="1h, 3d, at most 7d. Empty: three days."
        placeholder="3d"
        {...form.fields.invitation_time_to_live}
      />
    </FormDialog>
  );
}
