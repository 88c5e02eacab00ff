import Alert from '@cloudscape-design/components/alert';
import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useEffect, useState } from 'react';
import { endpoint as getObjectAsOf } from '../../../functions/api/changes/as-of/endpoint.ts';
import { requestOf } from '../../api/client.tsx';
import { useStore } from '../../api/store.ts';
import { asOfPlace } from '../../model/as-of-place.ts';
import { type LastState, loadAsOf, loadLast, neighboursOf, type ObjectAsOf } from '../../model/as-of.tsx';
import { type Difference, differencesOf } from '../../model/differences.ts';
import { agents, type InventoryObject, isObjectOf, type Kind, nodes, services } from '../../model/kinds.tsx';
import type { BaseColumn } from '../../ui/base-column.ts';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { SecondMoment } from '../../ui/moment.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { PageLoading } from '../../ui/page-loading.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { go, href, useRoute } from '../../ui/route.tsx';
import { ShowCurl } from '../../ui/show-curl.tsx';
import { stackedColumn } from '../../ui/stacked-column.tsx';
import { timeZone } from '../../ui/time-format.ts';
import { partsOf, timeOfParts } from '../../ui/time-parts.ts';
import { useLoad } from '../../ui/use-load.tsx';
import { useNarrow } from '../../ui/use-narrow.tsx';
import { useObjectName } from '../cells/object-name.tsx';
import { valueOf } from '../history/difference-list.tsx';
import { useRetentionDays } from '../../model/server-version.tsx';

const differs = ({ before, after }: Difference) => JSON.stringify(before) !== JSON.stringify(after);

function columnsOf(lastText: string): BaseColumn<Difference>[] {
  return [
    {
      id: 'field',
      header: 'Field',
      isRowHeader: true,
      cell: ({ label }) => <span className="any-word">{label}</span>,
      minWidth: 150,
    },
    { id: 'then', header: 'At this time', cell: (field) => valueOf(field, field.before), minWidth: 200 },
    {
      id: 'last',
      header: lastText,
      cell: (field) =>
        differs(field) ? (
          <SpaceBetween size="xs" direction="horizontal">
            <span className="altered">{valueOf(field, field.after)}</span>
            <Badge color="blue">Differs</Badge>
          </SpaceBetween>
        ) : (
          valueOf(field, field.after)
        ),
      minWidth: 200,
    },
  ];
}

/** Why there are no fields, for an object that was not present. */
function Absence({ noun, then: { presence, from, until } }: { noun: string; then: ObjectAsOf }) {
  const days = useRetentionDays();
  const at = (time: string | undefined) => time !== undefined && <SecondMoment time={time} />;
  if (presence === 'not_added')
    return <Alert header={`The ${noun} was not in the inventory yet`}>It was added or imported at {at(until)}.</Alert>;
  if (presence === 'removed')
    return (
      <Alert header={`The ${noun} was removed`}>
        It was removed at {at(from)}
        {until !== undefined && <>, and restored at {at(until)}</>}.
      </Alert>
    );
  return (
    <Alert type="warning" header={`The ${noun} of this time is not known`}>
      All is known from {at(until)} on. Earlier changes are not kept ({days} days), or too many have followed.
    </Alert>
  );
}

/** The revision and the times between which the object was so. */
function Extent({ then: { object, from, until } }: { then: ObjectAsOf }) {
  return (
    <>
      Revision {String(object?.['revision'])}
      {from !== undefined && (
        <>
          , from <SecondMoment time={from} />
        </>
      )}
      {until === undefined ? (
        ' until now'
      ) : (
        <>
          {' '}
          until <SecondMoment time={until} />
        </>
      )}
      . States and what agents reported are not kept.
    </>
  );
}

interface ChoiceProps {
  /** Undefined: now. */
  time: string | undefined;
  then: ObjectAsOf | undefined;
  choose: (time: string | undefined) => void;
}

/** Chooses the time: any, or that of the state before or after. */
function TimeChoice({ time, then, choose }: ChoiceProps) {
  const isUtc = useStore(timeZone) === 'utc';
  const given = time === undefined ? NaN : Date.parse(time);
  const shown = () => partsOf(Number.isNaN(given) ? new Date() : new Date(given), isUtc);
  const [parts, setParts] = useState(shown);
  useEffect(() => setParts(shown()), [time, isUtc]);
  const chosen = timeOfParts(parts, isUtc);
  const { earlier, later } = then === undefined ? {} : neighboursOf(then);
  // A disabled button with a reason keeps the focus.
  const step = (text: string, next: string | undefined) => (
    <Button
      formAction="none"
      disabled={next === undefined}
      disabledReason="There is none that is known."

      onClick={() => choose(next)}
    >
      {text}
    </Button>
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== undefined) choose(chosen.toISOString());
      }}
    >
      <SpaceBetween direction="horizontal" size="xs">
        <MomentField
          label="As of"
          parts={parts}
          seconds
          isEnabled={(date) => date.getTime() <= Date.now()}
          onChange={setParts}
        />
        <Button variant="primary">Show</Button>
        {step('State before', earlier)}
        {step('State after', later)}
        <Button formAction="none" onClick={() => choose(undefined)}>
          Now
        </Button>
      </SpaceBetween>
    </form>
  );
}

interface FieldsProps {
  then: ObjectAsOf;
  end: LastState;
  isNow: boolean;
}

/** All fields that the object has at this time or at the end. */
function Fields({ then, end: { last, removedAt }, isNow }: FieldsProps) {
  const narrow = useNarrow();
  // `before` is the value at this time.
  const fields = differencesOf({ action: 'added', before: then.object ?? {}, after: last.object ?? {} }).sort(
    (one, other) => one.label.localeCompare(other.label, 'en'),
  );
  const lastText = removedAt === undefined ? 'Now' : 'Before its removal';
  const columns = columnsOf(lastText);
  return (
    <Table
      variant="container"
      items={fields}
      trackBy="path"
      wrapLines
      ariaLabels={{ tableLabel: 'Fields at this time' }}
      columnDefinitions={narrow ? [stackedColumn(columns)] : columns}
      header={
        <Header variant="h2" counter={`(${fields.filter(differs).length} differ)`} description={<Extent then={then} />}>
          {isNow ? lastText : <SecondMoment time={then.time} />}
        </Header>
      }
    />
  );
}

function AsOf<T extends InventoryObject>({ kind }: { kind: Kind<T> }) {
  const { segments, query } = useRoute();
  const [, id = ''] = segments;
  const { time, removal } = query;
  const end = useLoad(['last state', kind.folder, id, removal], (signal) => loadLast(kind.noun, id, removal, signal));
  const past = useLoad(
    ['as of', kind.folder, id, removal, time],
    time === undefined ? undefined : (signal) => loadAsOf(kind.noun, id, { time, removal }, signal),
  );
  const last = end.value?.last.object;
  const name = useObjectName(kind, last !== undefined && isObjectOf(kind, last) ? last : undefined);
  const title = `${name ?? kind.noun}: as of a time`;
  usePageTitle(title, [{ text: kind.title, href: href([kind.folder]) }]);
  const failure = end.failure ?? past.failure;
  const then = time === undefined ? end.value?.last : past.value;
  const removedAt = end.value?.removedAt;

  const content = () => {
    if (failure !== undefined)
      return (
        <FailureAlert
          failure={failure}
          what={failure.status === 404 ? `This ${kind.noun} does not exist` : `The ${kind.noun} could not be loaded`}
          retry={end.failure === undefined ? past.reload : end.reload}
        />
      );
    if (then === undefined || end.value === undefined) return <PageLoading />;
    return then.object === undefined ? (
      <Absence noun={kind.noun} then={then} />
    ) : (
      <Fields then={then} end={end.value} isNow={time === undefined} />
    );
  };

  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <ShowCurl
              what="As of a time"
              request={requestOf(getObjectAsOf, {
                params: { kind: kind.noun, object_id: id },
                query: { time, removal },
              })}
            />
            {last !== undefined && removedAt === undefined ? (
              <Button href={href([kind.folder, id])}>Page of the {kind.noun}</Button>
            ) : (
              <Button href={href(['removed'])}>Removed objects</Button>
            )}
          </SpaceBetween>
        }
      >
        <span className="any-word">{title}</span>
      </Header>
      <Container>
        <TimeChoice time={time} then={then} choose={(next) => go(asOfPlace(kind.noun, id, { time: next, removal }))} />
      </Container>
      {removedAt !== undefined && (
        <Alert>
          The {kind.noun} was removed at <SecondMoment time={removedAt} />.
        </Alert>
      )}
      {content()}
    </SpaceBetween>
  );
}

/** The page of an object as of a time: `#/nodes/<id>/as-of?time=...`. */
export function AsOfPage() {
  const [folder] = useRoute().segments;
  if (folder === 'services') return <AsOf kind={services} />;
  return folder === 'agents' ? <AsOf kind={agents} /> : <AsOf kind={nodes} />;
}
