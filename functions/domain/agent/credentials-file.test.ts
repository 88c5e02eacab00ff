import { credentialsOf } from './credentials-file.ts';

const pathFor = (name: string) => credentialsOf({ service_id: 'id-1', service_name: name });

test.each(['db-1', 'DB_1.eu', 'x'.repeat(100), '9'])('the file name %p is permitted', (name) =>
  expect(pathFor(name)).toBe(`/etc/monitoring-inventory/credentials/${name}`),
);

test.each(['', '.hidden', '-option', '../up', 'a..b', 'a/b', 'a b', 'é', 'a\n', 'x'.repeat(101)])(
  'the file name %p is replaced by the service id',
  (name) => expect(pathFor(name)).toBe('/etc/monitoring-inventory/credentials/id-1'),
);
