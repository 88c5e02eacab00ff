import Button from '@cloudscape-design/components/button';
import { endpoint as listRoleBindings } from '../../functions/api/role-bindings/list/endpoint.ts';
import { Rights } from '../objects/cells/rights.tsx';
import { ActionMenu } from '../ui/action-menu.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { creatorColumn, type ListColumn, WholeListPage } from '../ui/whole-list-page.tsx';
import { Moment } from '../ui/moment.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { Small } from '../ui/small.tsx';
import { type Dialogs, useDialogs } from '../ui/use-dialogs.tsx';
import { AddBindingDialog } from './add-binding-dialog.tsx';
import { ChangeBindingDialog } from './change-binding-dialog.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { RemoveBindingDialog } from './remove-binding-dialog.tsx';
import { bindingsRequest, type RoleBinding, useBindings, useProviders } from './use-bindings.tsx';

function ClaimList({ claims }: Pick<RoleBinding, 'claims'>) {
  const bound = Object.entries(claims);
  if (bound.length === 0) return <>Every identity</>;
  return (
    <>
      {bound.map(([name, values]) => (
        <div key={name}>
          <Words text={`${name}: ${values.join(' or ')}`} />
        </div>
      ))}
    </>
  );
}

function BindingMenu({ binding, dialogs: { show, close, done } }: { binding: RoleBinding; dialogs: Dialogs }) {
  const props = { binding, close, done };
  return (
    <ActionMenu
      name={binding.name}
      actions={[
        { id: 'change', text: 'Change', act: () => show(<ChangeBindingDialog {...props} />) },
        { id: 'remove', text: 'Remove', act: () => show(<RemoveBindingDialog {...props} />) },
      ]}
    />
  );
}

const columnsOf = (dialogs: Dialogs): ListColumn<RoleBinding>[] => [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    cell: ({ name, description }) => (
      <>
        <Words text={name} />
        {description !== undefined && (
          <Small>
            <Words text={description} />
          </Small>
        )}
      </>
    ),
  },
  { id: 'provider', header: 'Provider', cell: ({ provider }) => <Words text={provider} /> },
  { id: 'role', header: 'Role', cell: (binding) => <Rights of={binding} /> },
  { id: 'claims', header: 'Claims', isWideOnly: true, cell: (binding) => <ClaimList {...binding} /> },
  {
    id: 'updated',
    header: 'Changed',
    isWideOnly: true,
    cell: ({ updated_at: time }) => <Moment time={time} exact />,
  },
  creatorColumn,
  { id: 'actions', header: 'Actions', cell: (binding) => <BindingMenu binding={binding} dialogs={dialogs} /> },
];

/** Configuration > Role bindings: the roles of identities of other providers. */
function RoleBindings() {
  const list = useBindings();
  const providers = useProviders(list.value ?? []);
  const dialogs = useDialogs(list.reload);
  const { show, close, done } = dialogs;
  return (
    <WholeListPage
      title="Role bindings"
      above={[{ text: 'Configuration', href: '#/configuration/api-keys' }]}
      noun="role bindings"
      description="People and programs of an identity provider have the role of the bindings that match their claims, and no access without one."
      list={list}
      idField="binding_id"
      columns={columnsOf(dialogs)}
      request={bindingsRequest}
      action={
        <Button onClick={() => show(<PreviewDialog providers={providers} close={close} />)}>Preview a role</Button>
      }
      add={{
        text: 'Add role binding',
        act: () => show(<AddBindingDialog providers={providers} close={close} done={done} />),
      }}
      empty={{
        title: 'No role bindings yet',
        hint: 'The setting identityProviders names the providers. A binding gives a role to some of their identities.',
      }}
      dialog={dialogs.open}
    />
  );
}

export const RoleBindingsPage = pageWithRole('Role bindings', listRoleBindings, RoleBindings);
