import { partsOf } from './word-parts.ts';

test('a line may break after each label of a host name and each underscore, but not in a numeric address', () => {
  expect(partsOf('dub-ads-db-1.prod.example.net:3306')).toEqual(['dub-ads-db-1.', 'prod.', 'example.', 'net:3306']);
  expect(partsOf('qan_mysql_slowlog_agent')).toEqual(['qan_', 'mysql_', 'slowlog_', 'agent']);
  for (const whole of ['10.20.3.17:3306', '[fd00::1]:5432', 'r5.2xlarge', 'db_1', '/var/run/mysqld', 'orders', ''])
    expect(partsOf(whole)).toEqual([whole]);
});

test.each(['a.b.c', '.hidden.', 'Größe.München', 'end.', 'x..y'])('the parts of %s are all of it', (text) => {
  expect(partsOf(text).join('')).toBe(text);
});
