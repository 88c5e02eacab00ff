import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { endpoint as listRoleBindings } from '../../functions/api/role-bindings/list/endpoint.ts';
import { Rights } from '../objects/cells/rights.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { Moment } from '../ui/moment.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { Small } from '../ui/small.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { EmptyTable, WholeTable } from '../ui/whole-table.tsx';
import { AddBindingDialog } from './add-binding-dialog.tsx';
import { ChangeBindingDialog } from './change-binding-dialog.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { RemoveBindingDialog } from './remove-binding-dialog.tsx';
import { bindingsRequest, type RoleBinding, useBindings, useProviders } from './use-bindings.tsx';

/** The window that is open. */
type OpenWindow = { kind: 'add' | 'preview' } | { kind: 'change' | 'remove'; binding: RoleBinding };

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

function BindingMenu({ binding, setOpen }: { binding: RoleBinding; setOpen: (open: OpenWindow) => void }) {
  return (
    <ButtonDropdown
      items={[
        { id: 'change', text: 'Change' },
        { id: 'remove', text: 'Remove' },
      ]}
      variant="inline-icon"
      ariaLabel={`Actions on ${binding.name}`}
      expandToViewport
      onItemClick={({ detail: { id } }) => setOpen({ kind: id === 'change' ? 'change' : 'remove', binding })}
    />
  );
}

function columnsOf(narrow: boolean, setOpen: (open: OpenWindow) => void): TableProps.ColumnDefinition<RoleBinding>[] {
  const wide: TableProps.ColumnDefinition<RoleBinding>[] = [
    { id: 'claims', header: 'Claims', cell: (binding) => <ClaimList {...binding} /> },
    { id: 'updated', header: 'Changed', cell: ({ updated_at: time }) => <Moment time={time} exact /> },
    { id: 'creator', header: 'Created by', cell: ({ created_by: { name } }) => <Words text={name} /> },
  ];
  return [
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
    ...(narrow ? [] : wide),
    { id: 'actions', header: 'Actions', cell: (binding) => <BindingMenu binding={binding} setOpen={setOpen} /> },
  ];
}

interface WindowProps {
  open: OpenWindow;
  providers: readonly string[];
  close: () => void;
  reload: () => void;
}

function BindingWindow({ open, providers, close, reload }: WindowProps) {
  const done = () => {
    close();
    reload();
  };
  switch (open.kind) {
    case 'add':
      return <AddBindingDialog providers={providers} close={close} done={done} />;
    case 'preview':
      return <PreviewDialog providers={providers} close={close} />;
    case 'change':
      return <ChangeBindingDialog binding={open.binding} close={close} done={done} />;
    case 'remove':
      return <RemoveBindingDialog binding={open.binding} close={close} done={done} />;
  }
}

/** Configuration > Role bindings: the roles of identities of other providers. */
function RoleBindings() {
  usePageTitle('Role bindings');
  const narrow = useNarrow();
  const [open, setOpen] = useState<OpenWindow>();
  const list = useBindings();
  const bindings = list.value ?? [];
  const providers = useProviders(bindings);
  const addButton = (
    <Button variant="primary" onClick={() => setOpen({ kind: 'add' })}>
      Add role binding
    </Button>
  );
  return (
    <>
      <WholeTable
        title="Role bindings"
        noun="role bindings"
        description="People and programs of an identity provider have the role of the bindings that match their claims, and no access without one."
        list={list}
        items={bindings}
        count={bindings.length}
        idField="binding_id"
        columns={columnsOf(narrow, setOpen)}
        request={bindingsRequest}
        action={
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={() => setOpen({ kind: 'preview' })}>Preview a role</Button>
            {addButton}
          </SpaceBetween>
        }
        empty={
          <EmptyTable
            title="No role bindings yet"
            hint="The setting identityProviders names the providers. A binding gives a role to some of their identities."
            action={addButton}
          />
        }
      />
      {open !== undefined && (
        <BindingWindow open={open} providers={providers} close={() => setOpen(undefined)} reload={list.reload} />
      )}
    </>
  );
}

export const RoleBindingsPage = pageWithRole('Role bindings', listRoleBindings, RoleBindings);
