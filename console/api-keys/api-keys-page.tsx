import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
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
import { ActionMenu } from '../ui/action-menu.tsx';
import { createdColumn, type ListColumn, WholeListPage } from '../ui/whole-list-page.tsx';
import { type Dialogs, useDialogs } from '../ui/use-dialogs.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { LastUse } from './last-use-cell.tsx';
import { LimitApiKeyDialog } from './limit-api-key-dialog.tsx';
import { Moment } from '../ui/moment.tsx';
import { href, replace, useRoute } from '../ui/route.tsx';
import { RotateApiKeyDialog } from './rotate-api-key-dialog.tsx';
import { useKeys } from './use-keys.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { type ApiKey, HOST_PAGE_SIZE, PAGE_SIZE } from '../model/api-keys.tsx';
import { Rights } from '../objects/cells/rights.tsx';
import { Small } from '../ui/small.tsx';
import { numberText, matchesText } from '../ui/words.ts';

/** A previous secret of the key in its overlap period. */
function OldText({ apiKey: { previous_expires_at: end } }: { apiKey: ApiKey }) {
  if (end === undefined || Date.parse(end) <= Date.now()) return null;
  return (
    <Small>
      Previous secret expires <Moment time={end} exact />
    </Small>
  );
}

function KeyMenu({ apiKey, dialogs: { show, close, done, follow } }: { apiKey: ApiKey; dialogs: Dialogs }) {
  const ask = (id: KeyActionName, text: string) => ({
    id,
    text,
    act: () => show(<ApiKeyActionDialog apiKey={apiKey} action={id} close={close} done={done} />),
  });
  const rotated = (created: CreatedKey) => follow(<CreatedKeyDialog created={created} close={close} />);
  return (
    <ActionMenu
      name={`the key ${apiKey.name}`}
      actions={[
        {
          id: 'rotate',
          text: 'Rotate',
          act: () => show(<RotateApiKeyDialog apiKey={apiKey} close={close} rotated={rotated} />),
        },
        {
          id: 'limit',
          text: 'Change the rate limit',
          act: () => show(<LimitApiKeyDialog apiKey={apiKey} close={close} changed={done} />),
        },
        { id: 'audit', text: 'Show its calls in the audit', href: href(AUDIT, { actor_id: apiKey.key_id }) },
        apiKey.disabled === true ? ask('enable', 'Enable') : ask('disable', 'Disable'),
        ask('remove', 'Remove'),
      ]}
    />
  );
}

/** The widths in pixels fit the contents, so that no column moves when the rows arrive. */
const columnsOf = (narrow: boolean, dialogs: Dialogs): ListColumn<ApiKey>[] => [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    minWidth: 160,
    width: 165,
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
  { id: 'role', header: 'Role', width: 120, cell: (key) => <Rights of={key} /> },
  { ...createdColumn, width: 185 },
  {
    id: 'expires',
    header: 'Expires',
    isWideOnly: true,
    width: 120,
    cell: ({ expires_at: time }) => <Expiry time={time} warn />,
  },
  { id: 'used', header: 'Last used', isWideOnly: true, width: 210, cell: (key) => <LastUse apiKey={key} /> },
  {
    id: 'limit',
    header: 'Rate limit',
    isWideOnly: true,
    width: 120,
    cell: ({ rate_limit_per_minute: limit }) => (limit === undefined ? 'No limit' : `${limit} per minute`),
  },
  {
    id: 'prefix',
    header: 'Key',
    isWideOnly: true,
    width: 120,
    cell: ({ prefix }) => <span className="mono">{prefix}…</span>,
  },
  { id: 'remove', header: 'Actions', width: 90, cell: (key) => <KeyMenu apiKey={key} dialogs={dialogs} /> },
];

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
        countText={matchesText(count)}
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
  const filter = useFilter();
  const { includeExpired } = filter;
  const list = useKeys(includeExpired, filter.nodeName);
  const dialogs = useDialogs(list.reload);
  const { show, close, follow } = dialogs;
  const { value: all = [], hasMoreHosts } = list;
  const keys = all.filter(filter.matches);
  const added = (created: CreatedKey) => follow(<CreatedKeyDialog created={created} close={close} />);
  return (
    <WholeListPage
      title="API keys"
      above={[{ text: 'Configuration', href: href(PLACE) }]}
      noun="API keys"
      description="Programs call the API with an API key. Viewers read, Editors change, Admins also manage keys. Hosts obtain their own Registrar key with an enrolment token."
      list={list}
      items={keys}
      count={`${numberText(all.length)}${hasMoreHosts ? '+' : ''}`}
      idField="key_id"
      columns={columnsOf(useNarrow(), dialogs)}
      request={requestOf(listApiKeys, { query: { page_size: PAGE_SIZE, include_expired: includeExpired } })}
      add={{ text: 'Add API key', act: () => show(<AddApiKeyDialog close={close} added={added} />) }}
      filter={<Filter filter={filter} count={keys.length} hasMoreHosts={hasMoreHosts} />}
      empty={
        filter.isFiltered
          ? { title: 'No key matches', action: <Button onClick={filter.clear}>Clear the filter</Button> }
          : { title: 'No API keys yet', hint: 'Add one key per program, so that each can be removed separately.' }
      }
      dialog={dialogs.open}
    />
  );
}

export const ApiKeysPage = pageWithRole('API keys', listApiKeys, ApiKeys);
