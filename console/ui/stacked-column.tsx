import SpaceBetween from '@cloudscape-design/components/space-between';
import type { BaseColumn } from './base-column.ts';
import { Small } from './small.tsx';

/** For narrow windows: all cells of a row in one cell, below each other, with the headers of their columns. */
export function stackedColumn<T>(columns: readonly BaseColumn<T>[]): BaseColumn<T> {
  return {
    id: 'all',
    header: columns.find(({ isRowHeader }) => isRowHeader === true)?.header ?? '',
    isRowHeader: true,
    cell: (item) => (
      <SpaceBetween size="xs">
        {columns.map(({ id, header, cell, isRowHeader = false }) => (
          <div key={id}>
            {!isRowHeader && <Small>{header}</Small>}
            {cell(item)}
          </div>
        ))}
      </SpaceBetween>
    ),
  };
}

/** Further values on a card. */
const MAX_VALUES = 3;

/**
 * For narrow windows: each row of a list as a card in one cell, with the name, the health, and the next columns below them.
 * Its header is that of the name.
 */
export function cardColumn<T, C extends BaseColumn<T>>(columns: readonly (BaseColumn<T> & C)[]): C | undefined {
  const name = columns.find(({ isRowHeader }) => isRowHeader === true);
  if (name === undefined) return undefined;
  const health = columns.find(({ id }) => id === 'health');
  const values = columns.filter((column) => column !== name && column !== health).slice(0, MAX_VALUES);
  return {
    ...name,
    // The card is the whole row: it is not the heading of other cells.
    isRowHeader: false,
    cell: (item) => (
      <div className="card">
        <div className="card-head">
          <b>{name.cell(item)}</b>
          {health?.cell(item)}
        </div>
        <dl className="card-values">
          {values.map(({ id, header, cell }) => (
            <div key={id}>
              <dt>
                <Small>{header}</Small>
              </dt>
              <dd>{cell(item)}</dd>
            </div>
          ))}
        </dl>
      </div>
    ),
  };
}
