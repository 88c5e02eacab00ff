import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { endpoint as endSession } from '../../functions/api/sessions/end/endpoint.ts';
import { endpoint as listSessions } from '../../functions/api/sessions/list/endpoint.ts';
import { allPages } from '../api/all-pages.ts';
import { call, type ReplyOf, requestOf } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { session as ownSession } from '../api/session.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useAction } from '../ui/use-submit.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { Expiry } from '../objects/cells/expiry.tsx';
import { Moment } from '../ui/moment.tsx';
import { createdColumn, type ListColumn, WholeListPage } from '../ui/whole-list-page.tsx';
import { type Dialogs, useDialogs } from '../ui/use-dialogs.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Rights } from '../objects/cells/rights.tsx';
import { failureOf, type Loading, useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { EmptyTable } from '../ui/whole-table.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { Small } from '../ui/small.tsx';
import { numberText } from '../ui/words.ts';

export type Session = ReplyOf<typeof listSessions>['sessions'][number];

const PAGE_SIZE = 1000;

const queryOf = (user: string | undefined) => ({ page_size: PAGE_SIZE, user_id: user });

/** All sessions, or those of one user, the last used first. Each user has at most 100. */
async function loadSessions(user: string | undefined, signal: AbortSignal): Promise<Session[]> {
  const sessions = await allPages(async (token) => {
    const query = { ...queryOf(user), page_token: token };
    const { sessions: items, next_page_token: next } = await call(listSessions, { query }, { signal });
    return { items, next };
  });
  const usedAt = ({ last_used_at: time, created_at: created }: Session) => time ?? created;
  return sessions.toSorted((left, right) => usedAt(right).localeCompare(usedAt(left)));
}

/** The active sessions. @param user the id of a user; undefined: of all users that the caller may see. */
export const useSessions = (user?: string) => useLoad(['sessions', user], (signal) => loadSessions(user, signal));

const columnsOf = ({ show, close, done }: Dialogs): ListColumn<Session>[] => [
  {
    id: 'user',
    header: 'User',
    isRowHeader: true,
    cell: ({ user_name: name, current, device }) => (
      <>
        <Words text={name} />
        {device !== undefined && (
          <Small>
            Device <Words text={device} />
          </Small>
        )}
        {current === true && <Small>This session</Small>}
      </>
    ),
  },
  { id: 'source', header: 'Source address', cell: ({ source_ip: address }) => <Words text={address} /> },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ last_used_at: time }) => (time === undefined ? 'Never' : <Moment time={time} />),
  },
  { id: 'role', header: 'Role', isWideOnly: true, cell: (session) => <Rights of={session} /> },
  { ...createdColumn, header: 'Logged in' },
  {
    id: 'expires',
    header: 'Expires',
    isWideOnly: true,
    cell: ({ expires_at: time }) => <Expiry time={time} />,
  },
  {
    id: 'end',
    header: 'Actions',
    cell: (session) => (
      <Button
        variant="inline-link"
        ariaLabel={`End the session of ${session.user_name} from ${session.source_ip}`}
        onClick={() => show(<EndDialog session={session} close={close} ended={done} />)}
      >
        End
      </Button>
    ),
  },
];

interface EndProps {
  session: Session;
  close: () => void;
  ended: () => void;
}

/** Asks before a session ends: its user has to log in again. */
function EndDialog({
  session: { session_id: id, user_name: name, source_ip: address, current },
  close,
  ended,
}: EndProps) {
  const form = useAction(async () => {
    try {
      await call(endSession, { params: { session_id: id } });
      flash.add({ type: 'success', content: `The session of ${name} was ended. Its key no longer works.` });
    } catch (error) {
      if (failureOf(error).status !== 404) throw error;
      flash.add({ type: 'success', content: `The session of ${name} has ended.` });
    }
    if (current === true) ownSession.leave('You have ended your session.');
    else ended();
  });
  return (
    <FormDialog
      header="End session"
      submitText="End session"
      form={form}
      failureTitle="The session could not be ended"
      close={close}
      request={requestOf(endSession, { params: { session_id: id } })}
    >
      <div>
        {current === true
          ? 'This is your current session. You will be logged out.'
          : `${name} (${address}) must log in again.`}
      </div>
    </FormDialog>
  );
}

interface TableOfUserProps {
  title: string;
  list: Loading<Session[]>;
}

/** The sessions of one user, as a part of a page. */
export function SessionTable({ title, list }: TableOfUserProps) {
  const narrow = useNarrow();
  const { value: sessions = [], loading, failure, reload } = list;
  const dialogs = useDialogs(reload);
  const columns = columnsOf(dialogs).filter(({ id, isWideOnly }) => id !== 'role' && !(narrow && isWideOnly === true));
  return (
    <>
      <Table
        items={sessions}
        trackBy="session_id"
        wrapLines
        loading={loading}
        loadingText="Loading sessions"
        ariaLabels={{ tableLabel: title }}
        columnDefinitions={columns}
        header={
          <Header
            variant="h2"
            counter={`(${numberText(sessions.length)})`}
            actions={<Button iconName="refresh" ariaLabel="Reload the sessions" onClick={reload} />}
          >
            {title}
          </Header>
        }
        empty={
          failure === undefined ? (
            <EmptyTable title="No active sessions" />
          ) : (
            <FailureAlert failure={failure} what="The sessions could not be loaded" retry={reload} />
          )
        }
      />
      {dialogs.open}
    </>
  );
}

/** Configuration > Sessions: the active sessions and their source addresses. */
function Sessions() {
  const { role } = useCaller();
  const list = useSessions();
  const dialogs = useDialogs(list.reload);
  const whose = role === 'Admin' ? 'Active sessions of all users.' : 'Your active sessions.';
  return (
    <WholeListPage
      title="Sessions"
      above={[{ text: 'Configuration', href: '#/configuration/sessions' }]}
      noun="sessions"
      description={`${whose} A login with a password creates a session.`}
      list={list}
      idField="session_id"
      columns={columnsOf(dialogs)}
      request={requestOf(listSessions, { query: { page_size: PAGE_SIZE } })}
      empty={{ title: 'No active sessions' }}
      dialog={dialogs.open}
    />
  );
}

export const SessionsPage = pageWithRole('Sessions', listSessions, Sessions);
