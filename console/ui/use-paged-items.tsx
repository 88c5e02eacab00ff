import Pagination from '@cloudscape-design/components/pagination';
import { useState } from 'react';

/**
 * One page of items that the browser has already, as the properties of a table.
 *
 * @param key the list that the items are: another one begins with its first page.
 */
export function usePagedItems<T>(items: readonly T[], size: number, key = '') {
  const [position, setPosition] = useState({ key, pageIndex: 1 });
  const pagesCount = Math.max(1, Math.ceil(items.length / size));
  // The list may have become shorter.
  const pageIndex = position.key === key ? Math.min(position.pageIndex, pagesCount) : 1;
  return {
    items: items.slice((pageIndex - 1) * size, pageIndex * size),
    wrapLines: true,
    pagination: pagesCount > 1 && (
      <Pagination
        currentPageIndex={pageIndex}
        pagesCount={pagesCount}
        onChange={({ detail }) => setPosition({ key, pageIndex: detail.currentPageIndex })}
      />
    ),
  };
}
