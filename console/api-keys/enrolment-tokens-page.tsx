import Button from '@cloudscape-design/components/button';
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
import { createdColumn, creatorColumn, type ListColumn, WholeListPage } from '../ui/whole-list-page.tsx';
import { useDialogs } from '../ui/use-dialogs.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { momentText } from '../ui/time-format.ts';
import { failureOf, useLoad } from '../ui/use-load.tsx';
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

const columnsOf = (remove: (token: Token) => void): ListColumn<Token>[] => [
  { id: 'name', header: 'Name', isRowHeader: true, minWidth: 120, cell: ({ name }) => <Words text={name} /> },
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
  createdColumn,
  creatorColumn,
  {
    id: 'key',
    header: 'Its key expires',
    isWideOnly: true,
    cell: ({ key_time_to_live: life }) => (life === undefined ? 'Never' : `After ${life}`),
  },
  { id: 'prefix', header: 'Token', isWideOnly: true, cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
  {
    id: 'remove',
    header: 'Actions',
    minWidth: 110,
    cell: (token) => (
      <Button variant="inline-link" ariaLabel={`Remove the token ${token.name}`} onClick={() => remove(token)}>
        Remove
      </Button>
    ),
  },
];

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
  const list = useLoad('enrolment-tokens', loadTokens);
  const { open, show, close, follow } = useDialogs(list.reload);
  return (
    <WholeListPage
      title="Enrolment tokens"
      above={[{ text: 'Configuration', href: '#/configuration/enrolment-tokens' }]}
      noun="enrolment tokens"
      description="A host exchanges a token once for its own key, with which it manages its node and the dependent objects."
      list={list}
      idField="token_id"
      columns={columnsOf((token) => void remove(token).then(list.reload))}
      request={requestOf(listEnrolmentTokens, { query: { page_size: PAGE_SIZE } })}
      add={{
        text: 'Add enrolment token',
        act: () =>
          show(
            <AddEnrolmentTokenDialog
              close={close}
              added={(created) => follow(<CreatedTokenDialog created={created} close={close} />)}
            />,
          ),
      }}
      empty={{ title: 'No enrolment tokens', hint: 'Add one token per host. A token is removed after use.' }}
      dialog={open}
    />
  );
}

export const EnrolmentTokensPage = pageWithRole('Enrolment tokens', listEnrolmentTokens, EnrolmentTokens);
