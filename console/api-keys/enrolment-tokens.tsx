import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { endpoint as enrolNode } from '../../functions/api/enrolment/enrol/endpoint.ts';
import { endpoint as listEnrolmentTokens } from '../../functions/api/enrolment-tokens/list/endpoint.ts';
import { endpoint as removeEnrolmentToken } from '../../functions/api/enrolment-tokens/remove/endpoint.ts';
import { call, type ReplyOf, requestOf } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { AddEnrolmentTokenDialog, type NewToken } from './add-enrolment-token-dialog.tsx';
import { curlCall } from '../ui/curl.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Expiry } from '../objects/cells/expiry.tsx';
import { Moment } from '../ui/moment.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { momentText } from '../ui/time-format.ts';
import { failureOf, useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { Words } from '../ui/breakable-text.tsx';

type Token = ReplyOf<typeof listEnrolmentTokens>['enrolment_tokens'][number];

const PAGE_SIZE = 1000;

/** All of them, those first that end first: they live for a day at most, so there are few. */
async function loadTokens(signal: AbortSignal): Promise<Token[]> {
  const tokens: Token[] = [];
  let next: string | undefined;
  do {
    const page = await call(listEnrolmentTokens, { query: { page_size: PAGE_SIZE, page_token: next } }, { signal });
    tokens.push(...page.enrolment_tokens);
    next = page.next_page_token;
  } while (next !== undefined);
  return tokens.toSorted((left, right) => left.expires_at.localeCompare(right.expires_at));
}

function columnsOf(narrow: boolean, remove: (token: Token) => void): TableProps.ColumnDefinition<Token>[] {
  const wide: TableProps.ColumnDefinition<Token>[] = [
    { id: 'created', header: 'Created', cell: ({ created_at: time }) => <Moment time={time} exact /> },
    {
      id: 'creator',
      header: 'Created by',
      cell: ({ created_by: { name } }) => <Words text={name} />,
    },
    {
      id: 'key',
      header: 'Its key expires',
      cell: ({ key_time_to_live: life }) => (life === undefined ? 'Never' : `After ${life}`),
    },
    { id: 'prefix', header: 'Token', cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
  ];
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      minWidth: narrow ? undefined : 120,
      cell: ({ name }) => <Words text={name} />,
    },
    {
      id: 'node',
      header: 'For the node',
      cell: ({ node_name: name }) => (name === undefined ? 'Any new node' : <Words text={name} />),
    },
    { id: 'expires', header: 'Expires', cell: ({ expires_at: time }) => <Expiry time={time} /> },
    ...(narrow ? [] : wide),
    {
      id: 'remove',
      header: 'Actions',
      minWidth: narrow ? undefined : 110,
      cell: (token) => (
        <Button variant="inline-link" ariaLabel={`Remove the token ${token.name}`} onClick={() => remove(token)}>
          Remove
        </Button>
      ),
    },
  ];
}

function enrolLine({ token, node_name: name = 'NAME' }: NewToken): string {
  const node = { node_type: 'generic', node_name: name, address: 'ADDRESS' } as const;
  // The token is the authorization.
  return curlCall(enrolNode, { body: { token, node } }, '');
}

/** Configuration > Enrolment tokens: with what a host comes to a key of its own. */
export function EnrolmentTokens() {
  usePageTitle('Enrolment tokens', [{ text: 'Configuration', href: '#/configuration/enrolment-tokens' }]);
  const narrow = useNarrow();
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<NewToken>();
  const { value, loading, failure, reload } = useLoad('enrolment-tokens', loadTokens);
  const tokens = value ?? [];

  const remove = async ({ token_id: id, name }: Token) => {
    try {
      await call(removeEnrolmentToken, { params: { token_id: id } });
      flash.add({ type: 'success', content: `The enrolment token ${name} was removed and no longer works.` });
    } catch (error) {
      const known = failureOf(error);
      // Used, or gone already.
      const content = known.status === 404 ? `The enrolment token ${name} no longer exists.` : known.message;
      flash.add({ type: known.status === 404 ? 'success' : 'error', content });
    }
    reload();
  };

  const addButton = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      Add enrolment token
    </Button>
  );
  return (
    <>
      <Table
        variant="full-page"
        stickyHeader
        items={failure === undefined ? tokens : []}
        trackBy="token_id"
        wrapLines
        loading={loading && value === undefined}
        loadingText="Loading enrolment tokens"
        ariaLabels={{ tableLabel: 'Enrolment tokens' }}
        columnDefinitions={columnsOf(narrow, (token) => void remove(token))}
        header={
          <Header
            variant="awsui-h1-sticky"
            counter={value === undefined ? undefined : `(${tokens.length})`}
            description="A host exchanges a token once for its own key, with which it manages its node and the dependent objects."
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="refresh" ariaLabel="Reload the enrolment tokens" onClick={reload} />
                <ShowCurl
                  what="Enrolment tokens"
                  request={requestOf(listEnrolmentTokens, { query: { page_size: PAGE_SIZE } })}
                />
                {addButton}
              </SpaceBetween>
            }
          >
            Enrolment tokens
          </Header>
        }
        empty={
          failure !== undefined ? (
            <FailureAlert failure={failure} what="The enrolment tokens could not be loaded" retry={reload} />
          ) : (
            <Box textAlign="center" padding={{ vertical: 'l' }}>
              <SpaceBetween size="s">
                <b>No enrolment tokens</b>
                <Box color="text-body-secondary">Add one token per host. A token is removed after use.</Box>
                {addButton}
              </SpaceBetween>
            </Box>
          )
        }
      />
      {adding && (
        <AddEnrolmentTokenDialog
          close={() => setAdding(false)}
          added={(token) => {
            setAdding(false);
            setCreated(token);
            reload();
          }}
        />
      )}
      {created !== undefined && (
        <SecretDialog
          header="Enrolment token created"
          warning={{
            header: 'Copy the token now',
            text: 'It is shown only once. The first holder can enrol one host with it.',
          }}
          secrets={[
            { label: `Token for ${created.name}`, text: created.token },
            { label: 'On the host', text: enrolLine(created) },
          ]}
          notes={[`It works once, until ${momentText(created.expires_at)}.`]}
          close={() => setCreated(undefined)}
        />
      )}
    </>
  );
}
