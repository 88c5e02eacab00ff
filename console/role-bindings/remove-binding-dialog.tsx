import { endpoint as removeRoleBinding } from '../../functions/api/role-bindings/remove/endpoint.ts';
import { call, requestOf } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useAction } from '../ui/use-submit.tsx';
import type { RoleBinding } from './use-bindings.tsx';

interface Props {
  binding: RoleBinding;
  close: () => void;
  done: () => void;
}

export function RemoveBindingDialog({ binding, close, done }: Props) {
  const { binding_id, name, provider, role, revision } = binding;
  const request = { params: { binding_id } };
  const form = useAction(async () => {
    await call(removeRoleBinding, request, { ifMatch: revision });
    flash.add({ type: 'success', content: `The role binding ${name} was removed.` });
    done();
  });
  return (
    <FormDialog
      header="Remove role binding"
      submitText="Remove"
      form={form}
      failureTitle="The role binding could not be removed"
      close={close}
      request={{ ...requestOf(removeRoleBinding, request), revision }}
    >
      <div>
        Identities of {provider} no longer get the role {role} by{' '}
        <b>
          <bdi className="any-word">{name}</bdi>
        </b>
        . Keys and sessions that rest on it end within five minutes.
      </div>
    </FormDialog>
  );
}
