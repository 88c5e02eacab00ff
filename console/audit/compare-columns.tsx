import Link from '@cloudscape-design/components/link';
import { valueOf } from '../objects/history/difference-list.tsx';
import { Who } from '../objects/history/happening.tsx';
import type { BaseColumn } from '../ui/base-column.ts';
import { Words } from '../ui/breakable-text.tsx';
import { Moment } from '../ui/moment.tsx';
import { momentText } from '../ui/time-format.ts';
import { href } from '../ui/route.tsx';
import { Small } from '../ui/small.tsx';
import { labelOf } from '../ui/words.ts';
import type { ShownRow } from './comparison-rows.ts';
import type { NamedChange } from './net-changes.ts';

/** The colours are those of the differences. */
const looks = { added: 'came', changed: 'altered', removed: 'went' } as const;

function ObjectCell({ change: { kind, id, name, action } }: { change: NamedChange }) {
  return (
    <>
      {action === 'removed' ? (
        <Words text={name} />
      ) : (
        <Link href={href([`${kind}s`, id])}>
          <Words text={name} />
        </Link>
      )}
      <Small>
        {labelOf(kind)}, <span className={looks[action]}>{action}</span>
      </Small>
    </>
  );
}

interface LastProps {
  change: NamedChange;
  from: string;
  to: string;
}

/** The last change of an object, and the link to all of its entries between the times. */
function LastChange({ change: { id, name, last }, from, to }: LastProps) {
  return (
    <>
      {last.actor !== undefined && <Who actor={last.actor} />}
      <Small>
        <Moment time={last.time} exact />
      </Small>
      <Link
        href={href(['configuration', 'audit'], { object_id: id, since: from, until: to })}
        ariaLabel={`Audit entries of ${name}`}
      >
        Audit entries
      </Link>
    </>
  );
}

/** The columns of a comparison of two times. */
export function compareColumns(from: string, to: string): BaseColumn<ShownRow>[] {
  const valueAt = (side: 'before' | 'after', time: string): BaseColumn<ShownRow> => ({
    id: side,
    // The times of the address can be invalid.
    header: Number.isNaN(Date.parse(time)) ? time : momentText(time),
    cell: ({ difference }) => valueOf(difference, difference[side]),
    minWidth: 160,
  });
  return [
    {
      id: 'object',
      header: 'Object',
      isRowHeader: true,
      cell: ({ change }) => <ObjectCell change={change} />,
      minWidth: 180,
    },
    {
      id: 'field',
      header: 'Field',
      cell: ({ difference: { label } }) => <bdi className="any-word">{label}</bdi>,
      minWidth: 130,
    },
    valueAt('before', from),
    valueAt('after', to),
    {
      id: 'last',
      header: 'Last change',
      cell: ({ change, isFirst }) => isFirst && <LastChange change={change} from={from} to={to} />,
      minWidth: 170,
    },
  ];
}
