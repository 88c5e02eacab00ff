import { useState } from 'react';
import { endpoint as addUser } from '../../functions/api/users/add/endpoint.ts';
import { call, requestOf, violationsOf } from '../api/client.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useSubmit } from '../ui/use-submit.tsx';
import type { InvitedUser } from './invited-dialog.tsx';
import { rightsFields, type UserRights, UserRightsFields } from './user-fields.tsx';

interface Props {
  close: () => void;
  added: (user: InvitedUser) => void;
}

export function AddUserDialog({ close, added }: Props) {
  const [name, setName] = useState('');
  const [rights, setRights] = useState<UserRights>({ role: 'Viewer', owners: [] });
  const [life, setLife] = useState('');
  const body = {
    user_name: name,
    ...rightsFields(rights),
    ...(life.trim() === '' ? {} : { invitation_time_to_live: life }),
  };
  const form = useSubmit({
    check: () => violationsOf(addUser.body, body),
    send: async () => added(await call(addUser, { body })),
    unique: 'user_name',
  });
  return (
    <FormDialog
      header="Add user"
      submitText="Add"
      form={form}
      failureTitle="The user could not be added"
      close={close}
      request={requestOf(addUser, { body })}
    >
      <TextField
        label="User name"
        description="The person logs in with it, and the audit shows it. It cannot be changed later."
        value={name}
        placeholder="maria.lopez"
        ariaRequired
        error={form.said('user_name')}
        onChange={(value) => {
          setName(value);
          form.forget();
        }}
      />
      <UserRightsFields rights={rights} said={form.said} onChange={setRights} />
      <TextField
        label="Time to live of the invitation"
        description="1h, 3d, at most 7d. Empty: three days."
        value={life}
        placeholder="3d"
        error={form.said('invitation_time_to_live')}
        onChange={setLife}
      />
    </FormDialog>
  );
}
