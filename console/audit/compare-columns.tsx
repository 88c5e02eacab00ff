import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Link from '@cloudscape-design/components/link';
import { DifferenceList, valueOf } from '../objects/history/difference-list.tsx';
import { Who } from '../objects/history/happening.tsx';
import type { BaseColumn } from '../ui/base-column.ts';
import { Words } from '../ui/breakable-text.tsx';
import { Moment } from '../ui/moment.tsx';
import { momentText } from '../ui/time-format.ts';
import { href } from '../ui/route.tsx';
import { Small } from '../ui/small.tsx';
import { FirstItems } from '../ui/first-items.tsx';
import { labelOf, plural } from '../ui/words.ts';
import type { ShownRow } from './comparison-rows.ts';
import type { NamedChange } from './net-changes.ts';

/** The colours are those of the differences. */
const looks = { added: 'came', changed: 'altered', removed: 'went' } as const;

/** Names of a folded row that are shown. The CSV file has all. */
const MAX_NAMES = 50;

function ObjectName({ change: { kind, id, name, action } }: { change: NamedChange }) {
  return action === 'removed' ? (
    <Words text={name} />
  ) : (
    <Link href={href([`${kind}s`, id])}>
      <Words text={name} />
    </Link>
  );
}

/** `10 nodes, 20 services` */
const kindsText = (changes: readonly NamedChange[]) =>
  [...Map.groupBy(changes, ({ kind }) => kind)].map(([kind, all]) => plural(all.length, kind)).join(', ');

/** The objects of a row: several by their number, with their names in a folded list. */
function Objects({ changes }: { changes: readonly NamedChange[] }) {
  const [first] = changes;
  if (first === undefined) return null;
  if (changes.length === 1) return <ObjectCell change={first} />;
  const text = kindsText(changes);
  return (
    <>
      <ExpandableSection variant="inline" headerText={<Box variant="span">{text}</Box>} headerAriaLabel={text}>
        <FirstItems
          max={MAX_NAMES}
          items={changes.map((change) => (
            <ObjectName key={change.id} change={change} />
          ))}
        />
      </ExpandableSection>
      <Small>
        <span className={looks[first.action]}>{first.action}</span> by one request
      </Small>
    </>
  );
}

/** The fields of an object that was added or removed, folded. */
function Fields({ change: { name, differences } }: { change: NamedChange }) {
  const text = plural(differences.length, 'field');
  return (
    <ExpandableSection
      variant="inline"
      headerText={<Box variant="span">{text}</Box>}
      headerAriaLabel={`${text} of ${name}`}
    >
      <DifferenceList differences={differences} whole />
    </ExpandableSection>
  );
}

function ObjectCell({ change }: { change: NamedChange }) {
  const { kind, action } = change;
  return (
    <>
      <ObjectName change={change} />
      <Small>
        {labelOf(kind)}, <span className={looks[action]}>{action}</span>
      </Small>
    </>
  );
}

interface LastProps {
  change: NamedChange;
  /** Whether the row is about one object. */
  isAlone: boolean;
  from: string;
  to: string;
}

/** The last change of an object, and the link to all of its entries between the times. */
function LastChange({ change: { id, name, last }, isAlone, from, to }: LastProps) {
  return (
    <>
      {last.actor !== undefined && <Who actor={last.actor} />}
      <Small>
        <Moment time={last.time} exact />
      </Small>
      {isAlone && (
        <Link
          href={href(['configuration', 'audit'], { object_id: id, since: from, until: to })}
          ariaLabel={`Audit entries of ${name}`}
        >
          Audit entries
        </Link>
      )}
    </>
  );
}

/** The columns of a comparison of two times. */
export function compareColumns(from: string, to: string): BaseColumn<ShownRow>[] {
  const valueAt = (side: 'before' | 'after', time: string): BaseColumn<ShownRow> => ({
    id: side,
    // The times of the address can be invalid.
    header: Number.isNaN(Date.parse(time)) ? time : momentText(time),
    cell: ({ difference, change, changes }) => {
      if (difference !== undefined) return valueOf(difference, difference[side]);
      const isThere = (change.action === 'added') === (side === 'after');
      return isThere && changes.length === 1 ? (
        <Fields change={change} />
      ) : isThere ? (
        plural(changes.length, 'object')
      ) : (
        '-'
      );
    },
    minWidth: 160,
  });
  return [
    {
      id: 'object',
      header: 'Object',
      isRowHeader: true,
      cell: ({ changes }) => <Objects changes={changes} />,
      minWidth: 180,
    },
    {
      id: 'field',
      header: 'Field',
      cell: ({ difference }) => <bdi className="any-word">{difference?.label ?? 'All'}</bdi>,
      minWidth: 130,
    },
    valueAt('before', from),
    valueAt('after', to),
    {
      id: 'last',
      header: 'Last change',
      cell: ({ change, changes, isFirst }) =>
        isFirst && <LastChange change={change} isAlone={changes.length === 1} from={from} to={to} />,
      minWidth: 170,
    },
  ];
}
