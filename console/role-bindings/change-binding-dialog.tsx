import Box from '@cloudscape-design/components/box';
import { endpoint as changeRoleBinding } from '../../functions/api/role-bindings/change/endpoint.ts';
import { call } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useRequestForm } from '../ui/use-request-form.tsx';
import { BindingFields, draftOf, fieldsOf } from './binding-fields.tsx';
import type { RoleBinding } from './use-bindings.tsx';

interface Props {
  binding: RoleBinding;
  close: () => void;
  done: () => void;
}

export function ChangeBindingDialog({ binding, close, done }: Props) {
  const { binding_id, name, provider, revision } = binding;
  const params = { binding_id };
  const form = useRequestForm({
    endpoint: changeRoleBinding,
    params,
    revision,
    start: () => draftOf(binding),
    // A field without a value is cleared.
    bodyOf: (draft) => {
      const { owners = null, node_name_claim = null, description = null, ...others } = fieldsOf(draft);
      return { ...others, owners, node_name_claim, description };
    },
    send: async (body) => {
      await call(changeRoleBinding, { params, body }, { ifMatch: revision });
      flash.add({ type: 'success', content: `The role binding ${name} was changed.` });
      done();
    },
  });
  return (
    <FormDialog
      header="Change role binding"
      submitText="Change"
      form={form}
      failureTitle="The role binding could not be changed"
      close={close}
    >
      <Box>
        <b>
          <bdi className="any-word">{name}</bdi>
        </b>{' '}
        binds identities of the provider{' '}
        <b>
          <bdi className="any-word">{provider}</bdi>
        </b>
        . If the change can take something from an identity, keys and sessions that rest on it end within five minutes.
      </Box>
      <BindingFields fields={form.fields} violations={form.violations} />
    </FormDialog>
  );
}
