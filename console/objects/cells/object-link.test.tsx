import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ApiFailure } from '../../api/client.tsx';
import { nodes, shortId } from '../../model/kinds.tsx';
import { nameQuery } from '../../model/object-cache.tsx';
import { FirstLink, LinksByKind, ObjectLink, ObjectLinks } from './object-link.tsx';

const ids = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(8));

/** What is shown while the names are not loaded, but for those that are gone. */
function shown(content: ReactElement, failures: Record<string, number> = {}) {
  const client = new QueryClient();
  for (const [id, status] of Object.entries(failures))
    client.setQueryData(nameQuery(nodes, id).queryKey, { failure: new ApiFailure(status) });
  const page = document.createElement('div');
  page.innerHTML = renderToStaticMarkup(<QueryClientProvider client={client}>{content}</QueryClientProvider>);
  return { text: page.textContent, links: [...page.querySelectorAll('a')].map((link) => link.getAttribute('href')) };
}

test.each([
  [0, '-', '-'],
  [1, 'a', 'a'],
  [2, 'a and 1 more', 'ab'],
  [3, 'a and 2 more', 'aband 1 more'],
  [4, 'a and 3 more', 'aband 2 more'],
])('of %d objects the first or the first two are named, and others counted', (count, first, two) => {
  const letters = (text: string) => text.replaceAll(/([a-d])\1{7}/g, '$1');
  const some = ids.slice(0, count);
  expect(letters(shown(<FirstLink kind={nodes} ids={some} />).text)).toBe(first);
  expect(letters(shown(<ObjectLinks kind={nodes} ids={some} max={2} />).text)).toBe(two);
});

test('a removed or invisible object is named without a link, another failure keeps the link', () => {
  const [id = ''] = ids;
  const link = <ObjectLink kind={nodes} id={id} />;
  expect(shown(link, { [id]: 404 })).toEqual({ text: `node ${shortId(id)} (gone)`, links: [] });
  expect(shown(link, { [id]: 403 })).toEqual({ text: `node ${shortId(id)} (no access)`, links: [] });
  expect(shown(link, { [id]: 500 })).toEqual({ text: shortId(id), links: [`#/nodes/${id}`] });
});

test.each([
  ['node', 'nodes'],
  ['service', 'services'],
  ['agent', 'agents'],
  ['pmm_agent', 'agents'],
] as const)('ids of the kind %s lead to the pages of %s', (kind, folder) => {
  expect(shown(<LinksByKind kind={kind} ids={ids} />).links).toEqual(ids.map((id) => `#/${folder}/${id}`));
});
