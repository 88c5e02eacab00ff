import { shortZone } from './text-column.tsx';

test.each([
  ['eu-west-1', 'eu-west-1b', 'b'],
  ['europe-west1', 'europe-west1-d', 'd'],
  ['eu-west-1', 'use1-az1', 'use1-az1'],
  ['eu-west-1', 'eu-west-1', 'eu-west-1'],
  [undefined, 'rack-7', 'rack-7'],
  ['eu-west-1', undefined, '-'],
])('beside the region %s the zone %s is %s', (region, zone, text) => {
  expect(shortZone(region, zone)).toBe(text);
});
