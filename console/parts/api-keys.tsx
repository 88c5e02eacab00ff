import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import TextFilter from '@cloudscape-design/components/text-filter';
import Toggle from '@cloudscape-design/components/toggle';
import { useState } from 'react';
import { endpoint as listApiKeys } from '../../functions/api-keys/list/endpoint.ts';
import { call, type ReplyOf } from '../api.tsx';
import { AddApiKeyDialog } from './add-api-key-dialog.tsx';
import { type CreatedKey, CreatedKeyDialog } from './created-key-dialog.tsx';
import { FailureAlert } from './failure-alert.tsx';
import { Moment } from './moment.tsx';
import { usePageTitle } from './page-title.tsx';
import { RemoveApiKeyDialog } from './remove-api-key-dialog.tsx';
import { useLoad } from './use-load.tsx';
import { useNarrow } from './use-narrow.tsx';

export type ApiKey = ReplyOf<typeof listApiKeys>['api_keys'][number];

/** A service has 1,000 keys at most, which is the size of one page: filtering them is this page's own work. */
const PAGE_SIZE = 1000;

async function loadKeys(includeExpired: boolean, signal: AbortSignal): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  let token: string | undefined;
  do {
    const query = { page_size: PAGE_SIZE, page_token: token, include_expired: includeExpired };
    const page = await call(listApiKeys, { query }, { signal });
    keys.push(...page.api_keys);
    token = page.next_page_token;
  } while (token !== undefined);
  return keys;
}

const isExpired = ({ expires_at: end }: ApiKey) => end !== undefined && Date.parse(end) <= Date.now();

function Expiry({ apiKey }: { apiKey: ApiKey }) {
  const { expires_at: end } = apiKey;
  if (end === undefined) return <>Never</>;
  if (isExpired(apiKey)) return <StatusIndicator type="stopped">Expired</StatusIndicator>;
  return <Moment time={end} exact />;
}

function columnsOf(narrow: boolean, remove: (key: ApiKey) => void): TableProps.ColumnDefinition<ApiKey>[] {
  const wide: TableProps.ColumnDefinition<ApiKey>[] = [
    { id: 'created', header: 'Created', cell: ({ created_at: time }) => <Moment time={time} exact /> },
    { id: 'expires', header: 'Expires', cell: (key) => <Expiry apiKey={key} /> },
    {
      id: 'used',
      header: 'Last used',
      cell: ({ last_used_at: time }) => (time === undefined ? 'Never' : <Moment time={time} />),
    },
    { id: 'prefix', header: 'Key', cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
  ];
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      cell: (key) => (
        <>
          <span className="any-word">{key.name}</span>
          {narrow && (
            <Box variant="small" display="block">
              <span className="mono">{key.prefix}…</span>
              <br />
              {key.expires_at === undefined ? 'Never expires' : <Expiry apiKey={key} />}
            </Box>
          )}
        </>
      ),
    },
    { id: 'role', header: 'Role', cell: ({ role }) => role },
    ...(narrow ? [] : wide),
    {
      id: 'remove',
      header: 'Actions',
      cell: (key) => {
        const label = `Remove the key ${key.name}`;
        return narrow ? (
          <Button variant="icon" iconName="remove" ariaLabel={label} onClick={() => remove(key)} />
        ) : (
          <Button variant="inline-link" ariaLabel={label} onClick={() => remove(key)}>
            Remove
          </Button>
        );
      },
    },
  ];
}

/** Configuration > API keys: who may come in with a key, and as what. */
export function ApiKeys() {
  usePageTitle('API keys', [{ text: 'Configuration', href: '#/configuration/api-keys' }]);
  const narrow = useNarrow();
  const [filter, setFilter] = useState('');
  const [includeExpired, setIncludeExpired] = useState(false);
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  const [removing, setRemoving] = useState<ApiKey>();
  const { value, loading, failure, reload } = useLoad(`api-keys/${includeExpired}`, (signal) =>
    loadKeys(includeExpired, signal),
  );
  const all = value ?? [];
  const words = filter.toLowerCase();
  const keys = all.filter(({ name, role, prefix }) =>
    [name, role, prefix].some((text) => text.toLowerCase().includes(words)),
  );
  const addButton = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      Add API key
    </Button>
  );

  return (
    <>
      <Table
        variant="full-page"
        stickyHeader
        items={failure === undefined ? keys : []}
        trackBy="key_id"
        wrapLines
        loading={loading && value === undefined}
        loadingText="Loading API keys"
        ariaLabels={{ tableLabel: 'API keys' }}
        columnDefinitions={columnsOf(narrow, setRemoving)}
        header={
          <Header
            variant="awsui-h1-sticky"
            counter={value === undefined ? undefined : `(${all.length})`}
            description="With a key, a program calls the API: as a Viewer it reads, as an Editor it changes too, as an Admin it may do all."
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="refresh" ariaLabel="Load the API keys again" onClick={reload} />
                {addButton}
              </SpaceBetween>
            }
          >
            API keys
          </Header>
        }
        filter={
          <div className="filters">
            <TextFilter
              filteringText={filter}
              filteringPlaceholder="Find by name, role or first characters"
              filteringAriaLabel="Find API keys"
              countText={`${keys.length} ${keys.length === 1 ? 'match' : 'matches'}`}
              onChange={({ detail }) => setFilter(detail.filteringText)}
            />
            <Toggle checked={includeExpired} onChange={({ detail }) => setIncludeExpired(detail.checked)}>
              Show expired
            </Toggle>
          </div>
        }
        empty={
          failure !== undefined ? (
            <FailureAlert failure={failure} what="The API keys could not be loaded" retry={reload} />
          ) : (
            <Box textAlign="center" padding={{ vertical: 'l' }}>
              <SpaceBetween size="s">
                <b>{filter === '' ? 'No API keys yet' : 'No key matches'}</b>
                {filter === '' ? (
                  <>
                    <Box color="text-body-secondary">
                      Add one for each program: then one of them can be taken away without the others.
                    </Box>
                    {addButton}
                  </>
                ) : (
                  <Button onClick={() => setFilter('')}>Clear the filter</Button>
                )}
              </SpaceBetween>
            </Box>
          )
        }
      />
      {adding && (
        <AddApiKeyDialog
          close={() => setAdding(false)}
          added={(key) => {
            setAdding(false);
            setCreated(key);
            reload();
          }}
        />
      )}
      {created !== undefined && <CreatedKeyDialog created={created} close={() => setCreated(undefined)} />}
      {removing !== undefined && (
        <RemoveApiKeyDialog
          apiKey={removing}
          close={() => setRemoving(undefined)}
          removed={() => {
            setRemoving(undefined);
            reload();
          }}
        />
      )}
    </>
  );
}
