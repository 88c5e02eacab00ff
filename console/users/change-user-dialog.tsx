import Box from '@cloudscape-design/components/box';
import { endpoint as changeUser } from '../../functions/api/users/change/endpoint.ts';
import { call } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useRequestForm } from '../ui/use-request-form.tsx';
import type { User } from './use-users.tsx';
import { rightsFields, type UserRights, UserRightsFields } from './user-fields.tsx';

interface Props {
  user: User;
  close: () => void;
  done: () => void;
}

/** Changes the role and the owners of a user. */
export function ChangeUserDialog({ user, close, done }: Props) {
  const { user_id, user_name: name } = user;
  const start: UserRights = { role: user.role, owners: user.owners ?? [] };
  const form = useRequestForm({
    endpoint: changeUser,
    params: { user_id },
    start,
    // Without owners, those of before are removed.
    bodyOf: (rights) => ({ owners: null, ...rightsFields(rights) }),
    send: async (body) => {
      await call(changeUser, { params: { user_id }, body });
      flash.add({ type: 'success', content: `The rights of ${name} were changed.` });
      done();
    },
  });
  return (
    <FormDialog
      header="Change user"
      submitText="Change"
      form={form}
      failureTitle="The user could not be changed"
      close={close}
    >
      <Box>
        All sessions of{' '}
        <b>
          <bdi className="any-word">{name}</bdi>
        </b>{' '}
        end.
      </Box>
      <UserRightsFields fields={form.fields} />
    </FormDialog>
  );
}
