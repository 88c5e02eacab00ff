import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './restore.ts';

const restored = { kind: 'node', id: 'n1', name: 'db-1' };

async function restore(reply: object) {
  const call = commandCall({ args: ['r1'], options: { output: 'csv' }, answer: () => reply });
  const exit = await run(call);
  return { exit, out: call.out(), sent: call.sent.map(({ method, path }) => `${method} ${path}`) };
}

test('lists the restored objects', async () => {
  expect(await restore({ restored: [restored], not_restored: [] })).toEqual({
    exit: undefined,
    out: 'kind,name,id,result\nnode,db-1,n1,restored\n',
    sent: ['POST /v1/removed/r1/restore'],
  });
});

test('objects that are not restored have the reason, and the restoration is partial', async () => {
  const { exit, out } = await restore({
    restored: [restored],
    not_restored: [{ kind: 'service', id: 's1', name: 'orders', message: 'The name is taken.' }],
  });
  expect([exit, out.split('\n')[2]]).toEqual(['partial', 'service,orders,s1,The name is taken.']);
});
