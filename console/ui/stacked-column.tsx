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
