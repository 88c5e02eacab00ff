import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import TextFilter from '@cloudscape-design/components/text-filter';
import Toggle from '@cloudscape-design/components/toggle';
import { useState } from 'react';
import { AddApiKeyDialog } from './add-api-key-dialog.tsx';
import { ApiKeyActionDialog, type KeyActionName } from './api-key-action-dialog.tsx';
import { type CreatedKey, CreatedKeyDialog } from './created-key-dialog.tsx';
import { Expiry, expiresSoon } from '../objects/cells/expiry.tsx';
import { EXPIRY_DAYS } from '../../functions/domain/records/summary.ts';
import { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import { requestOf } from '../api/client.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { LastUse } from './last-use-cell.tsx';
import { LimitApiKeyDialog } from './limit-api-key-dialog.tsx';
import { Moment } from '../ui/moment.tsx';
import { href, replace, useRoute } from '../ui/route.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { RotateApiKeyDialog } from './rotate-api-key-dialog.tsx';
import { useKeys } from './use-keys.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { EmptyTable, WholeTable } from '../ui/whole-table.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { type ApiKey, HOST_PAGE_SIZE, PAGE_SIZE } from '../model/api-keys.tsx';
import { Rights } from '../objects/cells/rights.tsx';
import { Small } from '../ui/small.tsx';

/** A previous secret of the key in its overlap period. */
function OldText({ apiKey: { previous_expires_at: end } }: { apiKey: ApiKey }) {
  if (end === undefined || Date.parse(end) <= Date.now()) return null;
  return (
    <Small>
      Previous secret expires <Moment time={end} exact />
    </Small>
  );
}

interface Action {
  id: string;
  text: string;
  act?: (key: ApiKey) => void;
  /** Whether the key has it; undefined: each. */
  isFor?: (key: ApiKey) => boolean;
  /** The page that it opens. */
  hrefOf?: (key: ApiKey) => string;
}

function Actions({ apiKey, actions }: { apiKey: ApiKey; actions: readonly Action[] }) {
  return (
    <ButtonDropdown
      variant="inline-icon"
      expandToViewport
      ariaLabel={`Actions on the key ${apiKey.name}`}
      items={actions
        .filter(({ isFor }) => isFor?.(apiKey) ?? true)
        .map(({ id, text, hrefOf }) => ({ id, text, href: hrefOf?.(apiKey) }))}
      onItemClick={({ detail }) => actions.find(({ id }) => id === detail.id)?.act?.(apiKey)}
    />
  );
}

/** The widths in pixels fit the contents, so that no column moves when the rows arrive. */
function columnsOf(narrow: boolean, actions: readonly Action[]): TableProps.ColumnDefinition<ApiKey>[] {
  const wide: TableProps.ColumnDefinition<ApiKey>[] = [
    { id: 'created', header: 'Created', width: 185, cell: ({ created_at: time }) => <Moment time={time} exact /> },
    { id: 'expires', header: 'Expires', width: 120, cell: ({ expires_at: time }) => <Expiry time={time} warn /> },
    {
      id: 'used',
      header: 'Last used',
      width: 210,
      cell: (key) => <LastUse apiKey={key} />,
    },
    {
      id: 'limit',
      header: 'Rate limit',
      width: 120,
      cell: ({ rate_limit_per_minute: limit }) => (limit === undefined ? 'No limit' : `${limit} per minute`),
    },
    { id: 'prefix', header: 'Key', width: 120, cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
  ];
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      ...(narrow ? {} : { minWidth: 160, width: 165 }),
      cell: (key) => (
        <>
          <Words text={key.name} />
          {key.disabled === true && (
            <div>
              <StatusIndicator type="stopped">Disabled</StatusIndicator>
            </div>
          )}
          <OldText apiKey={key} />
          {narrow && (
            <Small>
              <span className="mono">{key.prefix}…</span>
              <br />
              {key.expires_at === undefined ? 'Never expires' : <Expiry time={key.expires_at} warn />}
            </Small>
          )}
        </>
      ),
    },
    { id: 'role', header: 'Role', ...(narrow ? {} : { width: 90 }), cell: (key) => <Rights of={key} /> },
    ...(narrow ? [] : wide),
    {
      id: 'remove',
      header: 'Actions',
      ...(narrow ? {} : { width: 90 }),
      cell: (key) => <Actions apiKey={key} actions={actions} />,
    },
  ];
}

type Window =
  { kind: 'add' } | { kind: 'created'; key: CreatedKey } | { kind: 'rotate' | 'limit' | KeyActionName; apiKey: ApiKey };

interface WindowProps {
  open: Window;
  close: () => void;
  /** Shows the new secret of a key. */
  show: (key: CreatedKey) => void;
  reload: () => void;
}

/** The window that the user has opened. */
function OpenWindow({ open, close, show, reload }: WindowProps) {
  const done = () => {
    close();
    reload();
  };
  const created = (key: CreatedKey) => {
    show(key);
    reload();
  };
  switch (open.kind) {
    case 'add':
      return <AddApiKeyDialog close={close} added={created} />;
    case 'created':
      return <CreatedKeyDialog created={open.key} close={close} />;
    case 'rotate':
      return <RotateApiKeyDialog apiKey={open.apiKey} close={close} rotated={created} />;
    case 'limit':
      return <LimitApiKeyDialog apiKey={open.apiKey} close={close} changed={done} />;
    default:
      return <ApiKeyActionDialog apiKey={open.apiKey} action={open.kind} close={close} done={done} />;
  }
}

const PLACE = ['configuration', 'api-keys'];
const AUDIT = ['configuration', 'audit'];

/** The filters of the list. The address contains the filter by expiry, because the overview links to it. */
function useFilter() {
  const [text, setText] = useState('');
  const [includeExpired, setIncludeExpired] = useState(false);
  const [nodeName, setNodeName] = useState('');
  const isSoonOnly = useRoute().query['expires'] === 'soon';
  const setSoonOnly = (next: boolean) => replace(href(PLACE, { expires: next ? 'soon' : undefined }));
  return {
    text,
    setText,
    includeExpired,
    setIncludeExpired,
    nodeName,
    setNodeName,
    isSoonOnly,
    setSoonOnly,
    isFiltered: text !== '' || isSoonOnly,
    matches: ({ name, role, prefix, expires_at: end }: ApiKey) =>
      [name, role, prefix].some((field) => field.toLowerCase().includes(text.toLowerCase())) &&
      (!isSoonOnly || expiresSoon(end)),
    clear: () => {
      setText('');
      setNodeName('');
      setSoonOnly(false);
    },
  };
}

interface FilterProps {
  filter: ReturnType<typeof useFilter>;
  count: number;
  hasMoreHosts: boolean;
}

function Filter({ filter, count, hasMoreHosts }: FilterProps) {
  return (
    <div className="filters">
      <TextFilter
        filteringText={filter.text}
        filteringPlaceholder="Find by name, role or first characters"
        filteringAriaLabel="Find API keys"
        countText={`${count} ${count === 1 ? 'match' : 'matches'}`}
        onChange={({ detail }) => filter.setText(detail.filteringText)}
        onDelayedChange={({ detail }) => filter.setNodeName(detail.filteringText)}
      />
      {hasMoreHosts && (
        <Box variant="small">
          Only {HOST_PAGE_SIZE} keys of hosts are shown. Enter the start of a node name to find others.
        </Box>
      )}
      <Toggle checked={filter.isSoonOnly} onChange={({ detail }) => filter.setSoonOnly(detail.checked)}>
        Expires within {EXPIRY_DAYS} days
      </Toggle>
      <Toggle checked={filter.includeExpired} onChange={({ detail }) => filter.setIncludeExpired(detail.checked)}>
        Show expired
      </Toggle>
    </div>
  );
}

/** Configuration > API keys: the keys of programs and hosts. */
function ApiKeys() {
  usePageTitle('API keys', [{ text: 'Configuration', href: href(PLACE) }]);
  const narrow = useNarrow();
  const filter = useFilter();
  const { includeExpired } = filter;
  const [open, setOpen] = useState<Window>();
  const list = useKeys(includeExpired, filter.nodeName);
  const { value: all = [], hasMoreHosts, reload } = list;
  const keys = all.filter(filter.matches);
  const actionOf = (kind: 'rotate' | 'limit' | KeyActionName) => (apiKey: ApiKey) => setOpen({ kind, apiKey });
  const actions: readonly Action[] = [
    { id: 'rotate', text: 'Rotate', act: actionOf('rotate') },
    { id: 'limit', text: 'Change the rate limit', act: actionOf('limit') },
    { id: 'audit', text: 'Show its calls in the audit', hrefOf: ({ key_id: id }) => href(AUDIT, { actor_id: id }) },
    { id: 'disable', text: 'Disable', act: actionOf('disable'), isFor: ({ disabled }) => disabled !== true },
    { id: 'enable', text: 'Enable', act: actionOf('enable'), isFor: ({ disabled }) => disabled === true },
    { id: 'remove', text: 'Remove', act: actionOf('remove') },
  ];
  const addButton = (
    <Button variant="primary" onClick={() => setOpen({ kind: 'add' })}>
      Add API key
    </Button>
  );

  return (
    <>
      <WholeTable
        title="API keys"
        noun="API keys"
        description="Programs call the API with an API key. Viewers read, Editors change, Admins also manage keys. Hosts obtain their own Registrar key with an enrolment token."
        list={list}
        items={keys}
        count={`${all.length}${hasMoreHosts ? '+' : ''}`}
        idField="key_id"
        columns={columnsOf(narrow, actions)}
        request={requestOf(listApiKeys, { query: { page_size: PAGE_SIZE, include_expired: includeExpired } })}
        action={addButton}
        filter={<Filter filter={filter} count={keys.length} hasMoreHosts={hasMoreHosts} />}
        empty={
          filter.isFiltered ? (
            <EmptyTable title="No key matches" action={<Button onClick={filter.clear}>Clear the filter</Button>} />
          ) : (
            <EmptyTable
              title="No API keys yet"
              hint="Add one key per program, so that each can be removed separately."
              action={addButton}
            />
          )
        }
      />
      {open !== undefined && (
        <OpenWindow
          open={open}
          close={() => setOpen(undefined)}
          show={(key) => setOpen({ kind: 'created', key })}
          reload={reload}
        />
      )}
    </>
  );
}

export const ApiKeysPage = pageWithRole('API keys', listApiKeys, ApiKeys);
