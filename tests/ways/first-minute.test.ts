/** The README's first minute, followed to a sample in the real Prometheus, of the real exporter for MySQL. */
import { type Answers } from './terminal.ts';
import { openWay, type Way } from './way.ts';

let way: Way;

beforeAll(async () => {
  way = await openWay('first-minute', { names: { 'db-1.example.com': '127.0.0.2' }, folders: [] });
});

afterAll(() => way.stop());

test("the first minute of the README ends with a sample that has its objects' names", async () => {
  const printed = await way.startProgram(['npm', 'start'], /^Try .*\n/m);
  await way.startProgram(
    ['/usr/bin/prometheus-mysqld-exporter', '--web.listen-address=127.0.0.2:9104'],
    /Listening on|Starting HTTP server/i,
    { DATA_SOURCE_NAME: 'monitor:none@(127.0.0.1:3306)/' },
  );
  const [, password = ''] = /^Admin user +admin, password (\S+)/m.exec(printed) ?? [];
  const answers: Answers = [[/password for user 'admin':/, password]];
  expect(await way.type('add', { answers })).toContain('"db-1.example.com:9104"');
  await way.put('configuration', 'prometheus.yml');
  await way.start('prometheus', /Server is ready to receive web requests/);
  const labels = { node_name: 'db-1', service_name: 'orders', instance: 'db-1.example.com:9104' };
  expect(await way.samples('mysql_up', 1)).toMatchObject([{ metric: { ...labels, job: 'external_exporter' } }]);
  expect(await way.samples('up', 1)).toMatchObject([{ metric: labels, value: [expect.any(Number), '1'] }]);
  way.finish();
});
