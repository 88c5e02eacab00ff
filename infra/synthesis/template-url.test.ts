import { templateUrl } from './template-url.ts';

test.each([
  ['eu-central-1', 'https://s3.eu-central-1.amazonaws.com/my.templates/v/a.json'],
  ['af-south-1', 'https://s3.af-south-1.amazonaws.com/my.templates/v/a.json'],
  ['cn-north-1', 'https://s3.cn-north-1.amazonaws.com.cn/my.templates/v/a.json'],
])("a template in %s has its region's and partition's address, also in a bucket with dots", (region, url) =>
  expect(templateUrl({ bucket: 'my.templates', key: 'v/a.json', region })).toBe(url),
);
