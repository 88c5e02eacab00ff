import { createClient, type ImportLine } from '../index.ts';
import { importLines } from './transfer.ts';

const line = (id: string): ImportLine => ({
  kind: 'node',
  object: { node_type: 'generic', node_id: id, node_name: id, address: 'a' },
});

/** A client of a server that has time for at most `most` lines of a request; with the ids that it received. */
function clientOf(most: number) {
  const sent: string[][] = [];
  const client = createClient({
    url: 'https://inventory.example',
    fetch: (_, { body }) => {
      const lines: any[] = (body as string)
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text));
      const ids: string[] = lines.map(({ object }) => object.node_id);
      sent.push(ids);
      const results = ids.map((id, index) => ({ kind: 'node', id, outcome: index < most ? 'added' : 'not_done' }));
      return Promise.resolve(Response.json({ results }));
    },
  });
  return { client, sent };
}

test('the lines for which a request had no time are sent again, and only those', async () => {
  const { client, sent } = clientOf(2);
  const results: unknown[] = [];
  const onResult = ({ id, outcome }: { id?: string; outcome: string }, index: number) =>
    results.push([index, id, outcome]);
  const totals = await importLines(client, ['a', 'b', 'c', 'd', 'e'].map(line), { onResult });
  expect(sent).toEqual([['a', 'b', 'c', 'd', 'e'], ['c', 'd', 'e'], ['e']]);
  expect(totals).toEqual({ added: 5, changed: 0, unchanged: 0, refused: 0 });
  expect(results).toEqual(['a', 'b', 'c', 'd', 'e'].map((id, index) => [index, id, 'added']));
});

test('an import ends when lines never succeed, and counts them as refused', async () => {
  const { client, sent } = clientOf(0);
  expect(await importLines(client, [line('a')])).toEqual({ added: 0, changed: 0, unchanged: 0, refused: 1 });
  expect(sent).toHaveLength(10);
});

test('a dry run counts a line as added if all objects that it requires are lines before it', async () => {
  const missing: Record<string, string[]> = { b: ['a'], c: ['a', 'elsewhere'], d: ['elsewhere'] };
  const client = createClient({
    url: 'https://inventory.example',
    fetch: () => {
      const results = ['a', 'b', 'c', 'd'].map((id) => {
        const needed = missing[id]?.map((nodeId) => ({ kind: 'node', id: nodeId }));
        return { kind: 'node', id, outcome: needed === undefined ? 'added' : 'refused', missing: needed };
      });
      return Promise.resolve(Response.json({ results }));
    },
  });
  const outcomes: string[] = [];
  const onResult = ({ outcome }: { outcome: string }) => outcomes.push(outcome);
  const totals = await importLines(client, ['a', 'b', 'c', 'd'].map(line), { dryRun: true, onResult });
  expect([outcomes, totals.added, totals.refused]).toEqual([['added', 'added', 'refused', 'refused'], 2, 2]);
});
