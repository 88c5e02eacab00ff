import { type IndexCopy, IndexService, type ObjectChanges } from './index-service.ts';
import { idOf, type StoredObject } from './indexed-object.ts';

const line = (name: string): StoredObject => ({
  kind: 'node',
  object: { node_id: name, node_type: 'generic', node_name: name, revision: 1, custom_labels: {} },
});

const page = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const end = (token?: string) => ({
  kind: 'end',
  complete: token === undefined,
  ...(token === undefined ? {} : { next_page_token: token }),
});

class Memory implements IndexCopy {
  cursor: string | undefined;
  objects = new Map<string, StoredObject>();
  fails = false;
  closed = false;
  read = () =>
    Promise.resolve(
      this.cursor === undefined ? undefined : { cursor: this.cursor, objects: [...this.objects.values()] },
    );
  replace = (objects: readonly StoredObject[], cursor: string) => {
    this.objects = new Map(objects.map((object) => [idOf(object), object]));
    this.cursor = cursor;
    return Promise.resolve();
  };
  write = (changes: ObjectChanges, cursor: string) => {
    if (this.fails) return Promise.reject(new Error('The disk is full.'));
    for (const [id, stored] of changes) {
      if (stored === undefined) this.objects.delete(id);
      else this.objects.set(id, stored);
    }
    this.cursor = cursor;
    return Promise.resolve();
  };
  close = () => {
    this.closed = true;
  };
}

const opened = async (copy: IndexCopy | undefined, owner: string | undefined = 'session') => {
  const service = new IndexService(() => Promise.resolve(copy));
  return { service, start: await service.open(owner) };
};

const names = (service: IndexService) => service.search('n', 10).node.hits.map(({ name }) => name);

const added = (name: string) =>
  ({ kind: 'node', id: name, action: 'added', revision: 1, after: line(name).object }) as const;

test('pages of an export are added, and the last one completes the copy', async () => {
  const copy = new Memory();
  const { service, start } = await opened(copy);
  expect(start).toBeUndefined();
  expect(service.addPage(page([line('n1'), end('t')]))).toEqual({ count: 1, next: 't' });
  expect([names(service), copy.cursor]).toEqual([['n1'], undefined]);
  expect(service.addPage(page([line('n2'), end()]))).toEqual({ count: 2, next: undefined });
  await service.complete('c1');
  expect([copy.cursor, copy.objects.size]).toEqual(['c1', 2]);
});

test('a reload continues from the copy with its changes', async () => {
  const copy = new Memory();
  const { service } = await opened(copy);
  service.addPage(page([line('n1'), line('n2'), end()]));
  await service.complete('c1');
  await service.take([added('n3'), { kind: 'node', id: 'n1', action: 'removed', revision: 1 }], 'c2');
  const { service: next, start } = await opened(copy);
  expect(start).toEqual({ cursor: 'c2', count: 2 });
  expect(names(next)).toEqual(['n2', 'n3']);
});

test('after a failed write the copy is not written again, because it would miss a change', async () => {
  const copy = new Memory();
  const { service } = await opened(copy);
  service.addPage(page([end()]));
  await service.complete('c1');
  copy.fails = true;
  await service.take([added('n1')], 'c2');
  copy.fails = false;
  await service.take([added('n2')], 'c3');
  expect([names(service), copy.cursor, copy.closed]).toEqual([['n1', 'n2'], 'c1', true]);
});

test('without an owner and without a database there is no copy', async () => {
  for (const { service, start } of [await opened(new Memory(), undefined), await opened(undefined)]) {
    expect(start).toBeUndefined();
    service.addPage(page([line('n1'), end()]));
    await service.complete('c');
    expect(names(service)).toEqual(['n1']);
  }
});

test('a page without its end, or with other content, is refused', async () => {
  const { service } = await opened(undefined);
  expect(() => service.addPage(page([line('n1')]))).toThrow('has no end');
  expect(() => service.addPage(page([{ kind: 'other' }]))).toThrow();
});
