import fc from '../../../shared/testing/fast-check.ts';
import { dashboardUrl, MAX_DASHBOARD_LINKS, parseDashboardLinks } from './dashboard-links.ts';

const NODE = 'https://grafana.example.com/d/node?var-node=${node_name}&from=now-1h';

test('dashboard links are names with URL templates, separated by commas', () => {
  expect(parseDashboardLinks(` Node overview = ${NODE} ,Cluster=http://10.0.0.1:3000/d/c/\${cluster}`)).toEqual({
    'Node overview': NODE,
    Cluster: 'http://10.0.0.1:3000/d/c/${cluster}',
  });
  expect(parseDashboardLinks('')).toEqual({});
  expect(parseDashboardLinks('IPv6=https://[fd00::1]:3000/d')).toBeDefined();
});

test.each([
  'no-url',
  '=https://a.example/',
  'a=javascript:alert(1)',
  'a=//a.example/',
  'a=ftp://a.example/',
  'a=https://${node_name}/',
  'a=https://a.example${node_name}/',
  'a=https://user@a.example/',
  'a=https://a.example/${',
  'a=https://a.example/${Node}',
  'a=https://a.example/ b',
  'a=https://',
  'a=https://a.example/1,a=https://a.example/2',
  `${'n'.repeat(65)}=https://a.example/`,
  Array.from({ length: MAX_DASHBOARD_LINKS + 1 }, (_, index) => `${index}=https://a.example/`).join(','),
])('%s is refused', (text) => {
  expect(parseDashboardLinks(text)).toBeUndefined();
});

test('values are percent-encoded and cannot change the target', () => {
  expect(dashboardUrl(NODE, { node_name: `a/../b?c&d=e#f "'(*)!$x ü` })).toBe(
    'https://grafana.example.com/d/node?var-node=a%2F..%2Fb%3Fc%26d%3De%23f%20%22%27%28%2a%29%21%24x%20%C3%BC&from=now-1h',
  );
  expect(dashboardUrl('https://g.example/${port}/${node_name}', { port: 3306, node_name: '${port}' })).toBe(
    'https://g.example/3306/%24%7Bport%7D',
  );
});

test.each([
  ['https://g.example/d/${node_name}', '..'],
  ['https://g.example/d/${node_name}/view', '.'],
  ['https://g.example/d/.${node_name}', '.'],
  ['https://g.example/d/${node_name}${node_name}?a', '.'],
  ['https://g.example/d/%2E${node_name}#a', '.'],
  ['https://g.example/d\\${node_name}', '..'],
])('the link %s is absent for the name %s, which would change its target', (template, name) => {
  expect(parseDashboardLinks(`a=${template}`)).toBeDefined();
  expect(dashboardUrl(template, { node_name: name })).toBeUndefined();
  const path = (node_name: string) => new URL(dashboardUrl(template, { node_name }) ?? 'missing:').pathname;
  expect(path('...').split('/')).toHaveLength(path('db').split('/').length);
});

test('a name of dots is unchanged in a query and in a fragment', () => {
  expect(dashboardUrl('https://g.example/?n=${node_name}', { node_name: '..' })).toBe('https://g.example/?n=..');
  expect(dashboardUrl('https://g.example/#/${node_name}', { node_name: '.' })).toBe('https://g.example/#/.');
  expect(dashboardUrl('https://g.example/a/../${node_name}', { node_name: 'db' })).toBe('https://g.example/a/../db');
});

test('no value changes the number of path segments', () => {
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom('.', '/', '%2e', '%', '\\', '2', 'e', 'a', '\t') }),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(value, fc.constantFrom('/d/${n}', '/d/${n}/x', '/d/.${n}', '/d/${n}${n}/'), (n, path) => {
      const url = dashboardUrl(`https://g.example${path}`, { n });
      if (url === undefined) return;
      const parsed = new URL(url);
      expect([parsed.host, parsed.pathname.split('/').length]).toEqual(['g.example', path.split('/').length]);
    }),
  );
});

test('an object without a field of the template has no link', () => {
  expect(dashboardUrl(NODE, { service_name: 'a' })).toBeUndefined();
  expect(dashboardUrl(NODE, { node_name: '' })).toBeUndefined();
  expect(dashboardUrl('https://g.example/${constructor}', {})).toBeUndefined();
  expect(dashboardUrl('https://g.example/', {})).toBe('https://g.example/');
});
