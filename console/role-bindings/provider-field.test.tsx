import { onlyProvider } from './provider-field.tsx';

test('a form begins with the only provider, and with none of several', () => {
  expect([['github'], ['company', 'github'], []].map(onlyProvider)).toEqual(['github', '', '']);
});
