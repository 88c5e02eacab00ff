import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { endpoint as endSession } from '../../functions/api/sessions/end/endpoint.ts';
import { endpoint as listSessions } from '../../functions/api/sessions/list/endpoint.ts';
import { call, type ReplyOf, requestOf } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { session as ownSession } from '../api/session.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Expiry } from '../objects/cells/expiry.tsx';
import { Moment } from '../ui/moment.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { CurlSection, ShowCurl } from '../ui/show-curl.tsx';
import { failureOf, useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { Words } from '../ui/breakable-text.tsx';

type Session = ReplyOf<typeof listSessions>['sessions'][number];

const PAGE_SIZE = 1000;

/** All of them, those that were used last first: each user has 100 at most. */
async function loadSessions(signal: AbortSignal): Promise<Session[]> {
  const sessions: Session[] = [];
  let next: string | undefined;
  do {
    const page = await call(listSessions, { query: { page_size: PAGE_SIZE, page_token: next } }, { signal });
    sessions.push(...page.sessions);
    next = page.next_page_token;
  } while (next !== undefined);
  const usedAt = ({ last_used_at: time, created_at: created }: Session) => time ?? created;
  return sessions.toSorted((left, right) => usedAt(right).localeCompare(usedAt(left)));
}

function columnsOf(narrow: boolean, end: (session: Session) => void): TableProps.ColumnDefinition<Session>[] {
  const wide: TableProps.ColumnDefinition<Session>[] = [
    { id: 'role', header: 'Role', cell: ({ role }) => role },
    { id: 'created', header: 'Logged in', cell: ({ created_at: time }) => <Moment time={time} exact /> },
    { id: 'expires', header: 'Expires', cell: ({ expires_at: time }) => <Expiry time={time} /> },
  ];
  return [
    {
      id: 'user',
      header: 'User',
      isRowHeader: true,
      cell: ({ user_name: name, current }) => (
        <>
          <Words text={name} />
          {current === true && (
            <Box variant="small" display="block">
              This session
            </Box>
          )}
        </>
      ),
    },
    { id: 'source', header: 'Source address', cell: ({ source_ip: address }) => <Words text={address} /> },
    {
      id: 'used',
      header: 'Last used',
      cell: ({ last_used_at: time }) => (time === undefined ? 'Never' : <Moment time={time} />),
    },
    ...(narrow ? [] : wide),
    {
      id: 'end',
      header: 'Actions',
      cell: (session) => (
        <Button
          variant="inline-link"
          ariaLabel={`End the session of ${session.user_name} from ${session.source_ip}`}
          onClick={() => end(session)}
        >
          End
        </Button>
      ),
    },
  ];
}

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
  const [busy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    try {
      await call(endSession, { params: { session_id: id } });
      flash.add({ type: 'success', content: `The session of ${name} was ended. Its key no longer works.` });
    } catch (error) {
      const known = failureOf(error);
      const isOver = known.status === 404;
      flash.add({
        type: isOver ? 'success' : 'error',
        content: isOver ? `The session of ${name} has ended.` : known.message,
      });
    }
    if (current === true) ownSession.leave('You have ended your session.');
    else ended();
  };
  return (
    <Modal
      visible
      header="End session"
      onDismiss={close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={close}>
              Cancel
            </Button>
            <Button variant="primary" loading={busy} onClick={() => void end()}>
              End session
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <div>
          {current === true
            ? 'This is your current session. You will be logged out.'
            : `${name} (${address}) must log in again.`}
        </div>
        <CurlSection request={requestOf(endSession, { params: { session_id: id } })} />
      </SpaceBetween>
    </Modal>
  );
}

/** Configuration > Sessions: who is logged in, and from where. */
export function Sessions() {
  usePageTitle('Sessions', [{ text: 'Configuration', href: '#/configuration/sessions' }]);
  const narrow = useNarrow();
  const { role } = useCaller();
  const [ending, setEnding] = useState<Session>();
  const { value, loading, failure, reload } = useLoad('sessions', loadSessions);
  const sessions = value ?? [];
  return (
    <>
      <Table
        variant="full-page"
        stickyHeader
        items={failure === undefined ? sessions : []}
        trackBy="session_id"
        wrapLines
        loading={loading && value === undefined}
        loadingText="Loading sessions"
        ariaLabels={{ tableLabel: 'Sessions' }}
        columnDefinitions={columnsOf(narrow, setEnding)}
        header={
          <Header
            variant="awsui-h1-sticky"
            counter={value === undefined ? undefined : `(${sessions.length})`}
            description={
              role === 'Admin'
                ? 'Active sessions of all users. A login with a password creates a session.'
                : 'Your active sessions. A login with a password creates a session.'
            }
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="refresh" ariaLabel="Reload the sessions" onClick={reload} />
                <ShowCurl what="Sessions" request={requestOf(listSessions, { query: { page_size: PAGE_SIZE } })} />
              </SpaceBetween>
            }
          >
            Sessions
          </Header>
        }
        empty={
          failure !== undefined ? (
            <FailureAlert failure={failure} what="The sessions could not be loaded" retry={reload} />
          ) : (
            <Box textAlign="center" padding={{ vertical: 'l' }}>
              <b>No active sessions</b>
            </Box>
          )
        }
      />
      {ending !== undefined && (
        <EndDialog
          session={ending}
          close={() => setEnding(undefined)}
          ended={() => {
            setEnding(undefined);
            reload();
          }}
        />
      )}
    </>
  );
}
