import Button from '@cloudscape-design/components/button';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { endpoint as enrolNode } from '../../functions/api/enrolment/enrol/endpoint.ts';
import { endpoint as listEnrolmentTokens } from '../../functions/api/enrolment-tokens/list/endpoint.ts';
import { endpoint as removeEnrolmentToken } from '../../functions/api/enrolment-tokens/remove/endpoint.ts';
import { allPages } from '../api/all-pages.ts';
import { call, type ReplyOf, requestOf } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { AddEnrolmentTokenDialog, type NewToken } from './add-enrolment-token-dialog.tsx';
import { curlCall } from '../ui/curl.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { Expiry } from '../objects/cells/expiry.tsx';
import { Moment } from '../ui/moment.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { momentText } from '../ui/time-format.ts';
import { failureOf, useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { EmptyTable, WholeTable } from '../ui/whole-table.tsx';
import { Small } from '../ui/small.tsx';
import { Words } from '../ui/breakable-text.tsx';

type Token = ReplyOf<typeof listEnrolmentTokens>['enrolment_tokens'][number];

const PAGE_SIZE = 1000;

/** All tokens, the first to expire first. They live for at most a day, so there are few. */
async function loadTokens(signal: AbortSignal): Promise<Token[]> {
  const tokens = await allPages(async (token) => {
    const query = { page_size: PAGE_SIZE, page_token: token };
    const { enrolment_tokens: items, next_page_token: next } = await call(listEnrolmentTokens, { query }, { signal });
    return { items, next };
  });
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
      cell: ({ node_name: name, owner }) => (
        <>
          {name === undefined ? 'Any new node' : <Words text={name} />}
          {owner !== undefined && (
            <Small>
              Owner <Words text={owner} />
            </Small>
          )}
        </>
      ),
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
  // The request needs no key: the token authorizes it.
  return curlCall(enrolNode, { body: { token, node } }, '');
}

async function remove({ token_id: id, name }: Token): Promise<void> {
  try {
    await call(removeEnrolmentToken, { params: { token_id: id } });
    flash.add({ type: 'success', content: `The enrolment token ${name} was removed and no longer works.` });
  } catch (error) {
    const { status, message } = failureOf(error);
    // Used, or already removed.
    const isGone = status === 404;
    const content = isGone ? `The enrolment token ${name} no longer exists.` : message;
    flash.add({ type: isGone ? 'success' : 'error', content });
  }
}

function CreatedTokenDialog({ created, close }: { created: NewToken; close: () => void }) {
  return (
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
      close={close}
    />
  );
}

/** Configuration > Enrolment tokens: the tokens that hosts exchange for keys. */
function EnrolmentTokens() {
  usePageTitle('Enrolment tokens', [{ text: 'Configuration', href: '#/configuration/enrolment-tokens' }]);
  const narrow = useNarrow();
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<NewToken>();
  const list = useLoad('enrolment-tokens', loadTokens);
  const tokens = list.value ?? [];
  const addButton = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      Add enrolment token
    </Button>
  );
  return (
    <>
      <WholeTable
        title="Enrolment tokens"
        noun="enrolment tokens"
        description="A host exchanges a token once for its own key, with which it manages its node and the dependent objects."
        list={list}
        items={tokens}
        count={tokens.length}
        idField="token_id"
        columns={columnsOf(narrow, (token) => void remove(token).then(list.reload))}
        request={requestOf(listEnrolmentTokens, { query: { page_size: PAGE_SIZE } })}
        action={addButton}
        empty={
          <EmptyTable
            title="No enrolment tokens"
            hint="Add one token per host. A token is removed after use."
            action={addButton}
          />
        }
      />
      {adding && (
        <AddEnrolmentTokenDialog
          close={() => setAdding(false)}
          added={(token) => {
            setAdding(false);
            setCreated(token);
            list.reload();
          }}
        />
      )}
      {created !== undefined && <CreatedTokenDialog created={created} close={() => setCreated(undefined)} />}
    </>
  );
}

export const EnrolmentTokensPage = pageWithRole('Enrolment tokens', listEnrolmentTokens, EnrolmentTokens);
