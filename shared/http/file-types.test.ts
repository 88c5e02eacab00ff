import { contentTypeOf } from './file-types.ts';

test('the content type depends on the extension in any case', () => {
  expect([contentTypeOf('a/LOGO.PNG'), contentTypeOf('LICENSE')]).toEqual(['image/png', 'application/octet-stream']);
});
