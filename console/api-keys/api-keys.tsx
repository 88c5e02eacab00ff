import Box from '@cloudscape-design/components/box';
import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import TextFilter from '@cloudscape-design/components/text-filter';
import Toggle from '@cloudscape-design/components/toggle';
import { useState } from 'react';
import { AddApiKeyDialog } from './add-api-key-dialog.tsx';
import { type CreatedKey, CreatedKeyDialog } from './created-key-dialog.tsx';
import { Expiry, expiresSoon } from '../objects/cells/expiry.tsx';
import { EXPIRY_DAYS } from '../../functions/domain/records/summary.ts';
import { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import { requestOf } from '../api/client.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { LimitApiKeyDialog } from './limit-api-key-dialog.tsx';
import { Moment } from '../ui/moment.tsx';
import { href, replace, useRoute } from '../ui/route.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { RemoveApiKeyDialog } from './remove-api-key-dialog.tsx';
import { RotateApiKeyDialog } from './rotate-api-key-dialog.tsx';
import { useKeys } from './use-keys.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { type ApiKey, HOST_PAGE_SIZE, PAGE_SIZE } from '../model/api-keys.tsx';

/** A previous secret of the key in its overlap period. */
function OldText({ apiKey: { previous_expires_at: end } }: { apiKey: ApiKey }) {
  if (end === undefined || Date.parse(end) <= Date.now()) return null;
  return (
    <Box variant="small" display="block">
      Previous secret expires <Moment time={end} exact />
    </Box>
  );
}

function UsedAt({ time, from }: { time: string; from: string | undefined }) {
  return (
    <>
      <Moment time={time} />
      {from !== undefined && ` from ${from}`}
    </>
  );
}

/** The last use of the present secret, and after a rotation that of the former ones. */
function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const { last_used_at: used, last_used_from: from, former_last_used_at: former, former_last_used_from } = apiKey;
  return (
    <>
      {used === undefined ? 'Never' : <UsedAt time={used} from={from} />}
      {former !== undefined && (
        <Box variant="small" display="block">
          Former secret: <UsedAt time={former} from={former_last_used_from} />
        </Box>
      )}
    </>
  );
}

interface Action {
  word: string;
  icon: ButtonProps['iconName'];
  /** What it does to the key with this name. */
  label: (name: string) => string;
  act: (key: ApiKey) => void;
}

function Actions({ apiKey, narrow, actions }: { apiKey: ApiKey; narrow: boolean; actions: readonly Action[] }) {
  return (
    <SpaceBetween direction="horizontal" size={narrow ? 'xxs' : 's'}>
      {actions.map(({ word, icon, label, act }) =>
        narrow ? (
          <Button
            key={word}
            variant="icon"
            iconName={icon}
            ariaLabel={label(apiKey.name)}
            onClick={() => act(apiKey)}
          />
        ) : (
          <Button key={word} variant="inline-link" ariaLabel={label(apiKey.name)} onClick={() => act(apiKey)}>
            {word}
          </Button>
        ),
      )}
    </SpaceBetween>
  );
}

/** The widths, in pixels, are those of the contents: no column moves when they are there. */
function columnsOf(narrow: boolean, actions: readonly Action[]): TableProps.ColumnDefinition<ApiKey>[] {
  const wide: TableProps.ColumnDefinition<ApiKey>[] = [
    { id: 'created', header: 'Created', width: 185, cell: ({ created_at: time }) => <Moment time={time} exact /> },
    { id: 'expires', header: 'Expires', width: 120, cell: ({ expires_at: time }) => <Expiry time={time} warn /> },
    {
      id: 'used',
      header: 'Last used',
      width: 130,
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
          <OldText apiKey={key} />
          {narrow && (
            <Box variant="small" display="block">
              <span className="mono">{key.prefix}…</span>
              <br />
              {key.expires_at === undefined ? 'Never expires' : <Expiry time={key.expires_at} warn />}
            </Box>
          )}
        </>
      ),
    },
    { id: 'role', header: 'Role', ...(narrow ? {} : { width: 90 }), cell: ({ role }) => role },
    ...(narrow ? [] : wide),
    {
      id: 'remove',
      header: 'Actions',
      ...(narrow ? {} : { width: 190 }),
      cell: (key) => <Actions apiKey={key} narrow={narrow} actions={actions} />,
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
  const [rotating, setRotating] = useState<ApiKey>();
  const [limiting, setLimiting] = useState<ApiKey>();
  const [nodeName, setNodeName] = useState('');
  const { all, hasMoreHosts, loading, failure, reload } = useKeys(includeExpired, nodeName);
  const words = filter.toLowerCase();
  // In the address: the overview links to it.
  const isSoonOnly = useRoute().query['expires'] === 'soon';
  const setSoonOnly = (next: boolean) =>
    replace(href(['configuration', 'api-keys'], { expires: next ? 'soon' : undefined }));
  const isFiltered = filter !== '' || isSoonOnly;
  const keys = (all ?? []).filter(
    ({ name, role, prefix, expires_at: end }) =>
      [name, role, prefix].some((text) => text.toLowerCase().includes(words)) && (!isSoonOnly || expiresSoon(end)),
  );
  const actions: readonly Action[] = [
    { word: 'Rotate', icon: 'refresh', label: (name) => `Rotate the key ${name}`, act: setRotating },
    { word: 'Limit', icon: 'settings', label: (name) => `Change the rate limit of ${name}`, act: setLimiting },
    { word: 'Remove', icon: 'remove', label: (name) => `Remove the key ${name}`, act: setRemoving },
  ];
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
        loading={loading && all === undefined}
        loadingText="Loading API keys"
        ariaLabels={{ tableLabel: 'API keys' }}
        columnDefinitions={columnsOf(narrow, actions)}
        header={
          <Header
            variant="awsui-h1-sticky"
            counter={all === undefined ? undefined : `(${all.length}${hasMoreHosts ? '+' : ''})`}
            description="Programs call the API with an API key. Viewers read, Editors change, Admins also manage keys. Hosts obtain their own Registrar key with an enrolment token."
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="refresh" ariaLabel="Reload the API keys" onClick={reload} />
                <ShowCurl
                  what="API keys"
                  request={requestOf(listApiKeys, { query: { page_size: PAGE_SIZE, include_expired: includeExpired } })}
                />
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
              onDelayedChange={({ detail }) => setNodeName(detail.filteringText)}
            />
            {hasMoreHosts && (
              <Box variant="small">
                Only {HOST_PAGE_SIZE} keys of hosts are shown. Enter the start of a node name to find others.
              </Box>
            )}
            <Toggle checked={isSoonOnly} onChange={({ detail }) => setSoonOnly(detail.checked)}>
              Expires within {EXPIRY_DAYS} days
            </Toggle>
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
                <b>{isFiltered ? 'No key matches' : 'No API keys yet'}</b>
                {!isFiltered ? (
                  <>
                    <Box color="text-body-secondary">
                      Add one key per program, so that each can be removed separately.
                    </Box>
                    {addButton}
                  </>
                ) : (
                  <Button
                    onClick={() => {
                      setFilter('');
                      setNodeName('');
                      setSoonOnly(false);
                    }}
                  >
                    Clear the filter
                  </Button>
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
      {rotating !== undefined && (
        <RotateApiKeyDialog
          apiKey={rotating}
          close={() => setRotating(undefined)}
          rotated={(key) => {
            setRotating(undefined);
            setCreated(key);
            reload();
          }}
        />
      )}
      {limiting !== undefined && (
        <LimitApiKeyDialog
          apiKey={limiting}
          close={() => setLimiting(undefined)}
          changed={() => {
            setLimiting(undefined);
            reload();
          }}
        />
      )}
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
